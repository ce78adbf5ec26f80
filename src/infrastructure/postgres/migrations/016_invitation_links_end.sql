-- An invitation's link ends when it is used, or with its time.
alter table :schema.invitation_links
  add column expires_at timestamptz not null default now() + interval '30 days',
  add column used_at timestamptz;
