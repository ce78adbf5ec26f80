-- Mailed links of accounts: magic link, new password, proof of an address. The token is derived from the id when the mail goes
-- out; only its hash is kept.
create table :schema.account_links (
  id uuid primary key,
  kind text not null check (kind in ('magic_link', 'password_reset', 'verification')),
  token_hash bytea not null unique,
  -- Null for an address that nobody has: the row is made all the same, so that asking takes the same time, and never mailed.
  account_id text references :schema.accounts on delete cascade,
  -- The language that the mail was asked for in.
  locale text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- When its mail is to be tried (again); null once there is nothing left to try.
  mail_due_at timestamptz default now(),
  mail_attempts integer not null default 0
);
create index account_links_to_mail on :schema.account_links (mail_due_at) where mail_due_at is not null;
create index account_links_by_account on :schema.account_links (account_id);
create index account_links_by_end on :schema.account_links (expires_at);
