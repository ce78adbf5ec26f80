-- A factory's certificates are the same for every brand that works with it, so they are counted at the factory.

create table :schema.factories (
  id text primary key,
  certificate_count integer not null default 0
);

create table :schema.certificates (
  id text primary key,
  factory_id text not null
);

alter table :schema.suppliers drop column certificate_count;
