-- Secrets of webhooks that were rotated away: each signs beside its successors for a day.
create table :schema.webhook_retiring_secrets (
  id bigint generated always as identity primary key,
  webhook_id text not null references :schema.webhook_secrets on delete cascade,
  secret bytea not null,
  -- Milliseconds since the Unix epoch.
  signs_until bigint not null
);
create index webhook_retiring_secrets_of_webhook on :schema.webhook_retiring_secrets (webhook_id, id);

alter table :schema.webhook_secrets drop column previous;
