-- Webhooks and what was sent to them. The indexes of deliveries serve the list of one webhook with any of its filters.

create table :schema.webhooks (
  id text primary key,
  organization_id text not null,
  url text not null,
  -- Names joined by a blank.
  events text not null,
  active boolean not null,
  gone boolean not null,
  created_at bigint not null
);
create index webhooks_of_organization on :schema.webhooks (organization_id, created_at, id);

create table :schema.deliveries (
  id text primary key,
  webhook_id text not null,
  event text not null,
  state text not null,
  next_attempt_at bigint,
  created_at bigint not null
);
create index deliveries_of_webhook on :schema.deliveries (webhook_id, created_at, id);
create index deliveries_of_webhook_in_state on :schema.deliveries (webhook_id, state, created_at, id);
create index deliveries_of_webhook_of_event on :schema.deliveries (webhook_id, event, created_at, id);
create index deliveries_of_webhook_of_event_in_state on :schema.deliveries (webhook_id, event, state, created_at, id);

create table :schema.delivery_attempts (
  delivery_id text not null,
  attempt integer not null,
  at bigint not null,
  duration_ms bigint not null,
  status integer,
  error text,
  answer text,
  primary key (delivery_id, attempt)
);
