-- Who somebody is at an identity provider: its word for a person stays the same when the person's address changes.
create table :schema.account_identities (
  issuer text not null,
  subject text not null,
  account_id text not null references :schema.accounts on delete cascade,
  linked_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index account_identities_by_account on :schema.account_identities (account_id);
