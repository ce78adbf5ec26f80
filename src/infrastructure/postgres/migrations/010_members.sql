-- Somebody without an account who is invited into an organization. The token is derived from the id when the mail goes out; only
-- its hash is kept. The row goes when it is used.
create table :schema.member_invitations (
  id text primary key,
  organization_id text not null,
  email text not null,
  role text not null check (role in ('owner', 'editor', 'auditor')),
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (organization_id, email)
);
create index member_invitations_by_email on :schema.member_invitations (email);

-- Mails about members that are still to go out: to a new member, or to somebody invited. A row goes when its mail has gone.
create table :schema.member_mails (
  id uuid primary key,
  organization_id text not null,
  account_id text references :schema.accounts on delete cascade,
  invitation_id text references :schema.member_invitations on delete cascade,
  -- The language of whoever invited.
  locale text not null,
  mail_due_at timestamptz not null default now(),
  mail_attempts integer not null default 0,
  check ((account_id is null) <> (invitation_id is null))
);
create index member_mails_due on :schema.member_mails (mail_due_at);
create index member_mails_by_account on :schema.member_mails (account_id);
create index member_mails_by_invitation on :schema.member_mails (invitation_id);
