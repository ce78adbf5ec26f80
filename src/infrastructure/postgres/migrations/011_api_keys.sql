-- Keys for machines. The key itself is shown once and kept nowhere; it has 256 random bits, so a plain hash is enough.
create table :schema.api_keys (
  id text primary key,
  organization_id text not null,
  name text not null,
  scopes text[] not null,
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- To the minute.
  last_used_at timestamptz
);
create index api_keys_by_organization on :schema.api_keys (organization_id, created_at);
