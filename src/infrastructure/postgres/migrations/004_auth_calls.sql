-- Auth calls of a socket address in the running minute, for all API processes together. Unlogged: a count that a crash of the
-- database forgets has cost nobody a disk write.
create unlogged table :schema.auth_calls (
  address_hash bytea primary key,
  window_ends_at timestamptz not null,
  calls integer not null
);
create index auth_calls_by_end on :schema.auth_calls (window_ends_at);
