-- What is not in the event log: accounts, personal data, and what keeps writes unique and repeatable.

create table :schema.accounts (
  id text primary key,
  email text not null unique,
  email_proven_at timestamptz,
  password_hash text,
  display_name text not null,
  created_at timestamptz not null default now()
);

create table :schema.sessions (
  id uuid primary key,
  account_id text not null references :schema.accounts on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_by_account on :schema.sessions (account_id, created_at desc);

-- Sign-ins under way or failed, known address or not: what a guesser is counted by.
create table :schema.sign_in_attempts (
  id uuid primary key,
  address_hash bytea not null,
  tried_at timestamptz not null default now()
);
create index sign_in_attempts_by_address on :schema.sign_in_attempts (address_hash, tried_at);

create table :schema.memberships (
  organization_id text not null,
  account_id text not null references :schema.accounts on delete cascade,
  role text not null check (role in ('owner', 'editor', 'auditor')),
  created_at timestamptz not null default now(),
  primary key (organization_id, account_id)
);
create index memberships_by_account on :schema.memberships (account_id);

-- One factory for each contact address, shared by every brand that works with it. Events know it by its id alone.
create table :schema.factories (
  id text primary key,
  contact_email text not null unique,
  created_at timestamptz not null default now()
);

-- A value that one record of an organization may hold: reserved before the append, so that two writers cannot both have it.
create table :schema.reservations (
  organization_id text not null,
  kind text not null,
  value text not null,
  owner_id text not null,
  reserved_at timestamptz not null default now(),
  primary key (organization_id, kind, value)
);
create index reservations_by_owner on :schema.reservations (owner_id);

create table :schema.idempotency_keys (
  scope text not null,
  key text not null,
  body_hash bytea not null,
  -- The ids that the call makes are derived from this, so that the same call sent again makes the same record.
  seed uuid not null,
  status integer,
  -- Encrypted: an answer may hold an address or a secret.
  response bytea,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotency_keys_by_age on :schema.idempotency_keys (created_at);

-- The token of a mailed link is never stored: it is derived again from the request's id when a mail goes out.
create table :schema.factory_links (
  token_hash bytea primary key,
  request_id text not null unique,
  batch_id text not null,
  created_at timestamptz not null default now()
);

create table :schema.invitation_links (
  token_hash bytea primary key,
  supplier_id text not null unique,
  created_at timestamptz not null default now()
);

-- What a factory has typed and not sent yet: not a fact, so not an event.
create table :schema.request_drafts (
  request_id text primary key,
  data jsonb not null,
  saved_at timestamptz not null default now()
);

-- A mail that the server took: what keeps a repeated attempt from sending it twice.
create table :schema.sent_mails (
  message_id text primary key,
  sent_at timestamptz not null default now()
);
create index sent_mails_by_age on :schema.sent_mails (sent_at);

create table :schema.reactor_checkpoint (
  reactor text primary key,
  position bigint not null
);
