-- Which webhooks an organization has: what the limit is counted on, and who is asked when something has happened. A read
-- model would not do, as it may not have seen yet what was made a moment ago.
create table :schema.webhooks (
  id text primary key,
  organization_id text not null,
  created_at timestamptz not null default now()
);
create index webhooks_of_organization on :schema.webhooks (organization_id);

-- Encrypted. For a day after a rotation the secret before it signs too.
create table :schema.webhook_secrets (
  webhook_id text primary key,
  current bytea not null,
  previous bytea,
  -- Milliseconds since the Unix epoch, and the call that rotated: sent again, it rotates no further.
  rotated_at bigint,
  rotation_id text
);

-- One delivery for each webhook and event, also when the workflow that made it is long forgotten.
create table :schema.webhook_deliveries (
  webhook_id text not null,
  source_event_id text not null,
  delivery_id text not null,
  primary key (webhook_id, source_event_id)
);
