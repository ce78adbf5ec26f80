-- Keys of the private texts in events and read models. A row that is deleted erases every text that hangs on it.
create table :schema.text_keys (
  id uuid primary key,
  -- An organization, a factory, or a brand's record of one.
  holder text not null unique,
  -- Under ENCRYPTION_KEY.
  wrapped bytea not null,
  created_at timestamptz not null default now()
);
