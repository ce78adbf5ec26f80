-- A factory's catalogue is the same for every brand that works with it, so it is counted at the factory.

alter table :schema.factories add column product_count integer not null default 0;

create table :schema.catalogue_products (
  id text primary key,
  factory_id text not null
);

alter table :schema.suppliers drop column product_count;

-- The brands of a factory, newest first.
create index suppliers_of_factory_by_time on :schema.suppliers (factory_id, created_at, id) where not (recorded and batch_count = 0);
