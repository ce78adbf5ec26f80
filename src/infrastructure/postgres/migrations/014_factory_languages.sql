-- The languages that a factory has filled in its form in, each from when on: mails to it speak the last one.
create table :schema.factory_languages (
  factory_id text not null references :schema.factories (id) on delete cascade,
  since timestamptz not null default now(),
  locale text not null,
  primary key (factory_id, since)
);
