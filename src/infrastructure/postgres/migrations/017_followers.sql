-- Who follows the log, as each says of itself every few seconds.
create table :schema.followers (
  name text primary key,
  -- Events that it has yet to take, counted up to 1,000, and the age of the oldest.
  lag_events integer not null,
  lag_s double precision not null,
  -- The event that it cannot get past, and why; null while it goes on.
  halt jsonb,
  seen_at timestamptz not null default now()
);

-- Events that the reactor could not take, and later ones of their streams, until an operator has them tried again.
create table :schema.parked_events (
  event_id uuid primary key,
  stream text not null,
  revision bigint not null,
  type text not null,
  -- Null for one that was not tried, as it waits for an earlier one of its stream.
  error text,
  tries integer not null,
  parked_at timestamptz not null default now(),
  retry_asked_at timestamptz
);
create index parked_events_by_stream on :schema.parked_events (stream, revision);
