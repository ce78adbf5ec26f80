-- Read models: disposable, made from the event log alone. Times are milliseconds since the Unix epoch, taken from the events.
-- Primary keys serve the projector; every other index serves a list and is left out while a rebuild fills the tables.

-- One row. `position` is that of the last event whose rows are in; -1 tells a projector that these tables have been replaced.
create table :schema.checkpoint (
  only_row boolean primary key default true check (only_row),
  position bigint not null
);
insert into :schema.checkpoint (position) values (0);

create table :schema.organizations (
  id text primary key,
  name text not null,
  plan text not null,
  created_at bigint not null
);

create table :schema.products (
  id text primary key,
  organization_id text not null,
  name text not null,
  sku text,
  gtin text,
  external_id text,
  category_id text not null,
  subcategory text,
  weight_kg double precision,
  weight_estimated boolean not null,
  country_of_manufacture text,
  ecommerce_url text,
  care_instructions text,
  expected_lifespan text,
  recyclable boolean,
  recycling_instructions text,
  material_count integer not null,
  batch_count integer not null default 0,
  passport_count integer not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);
create index products_of_organization on :schema.products (organization_id, created_at, id);

create table :schema.suppliers (
  id text primary key,
  organization_id text not null,
  factory_id text not null,
  factory_name text not null,
  country text,
  tier integer not null,
  notes text,
  confirmed boolean not null default false,
  declined boolean not null default false,
  -- Each event sets a flag to a value of its own, so that the state needs no look at the one before.
  state text not null generated always as (
    case when declined then 'declined' when confirmed then 'confirmed' else 'invited' end
  ) stored,
  batch_count integer not null default 0,
  product_count integer not null default 0,
  certificate_count integer not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);
create index suppliers_of_organization on :schema.suppliers (organization_id, created_at, id);
create index suppliers_of_factory on :schema.suppliers (factory_id, organization_id);

create table :schema.batches (
  id text primary key,
  organization_id text not null,
  product_id text not null,
  factory_id text,
  po_reference text,
  quantity bigint not null,
  unit text not null,
  state text not null,
  preliminary boolean not null,
  created_at bigint not null
);
create index batches_of_organization on :schema.batches (organization_id, created_at, id);
create index batches_of_organization_in_state on :schema.batches (organization_id, state, created_at, id);
create index batches_of_product on :schema.batches (product_id, created_at, id);
create index batches_of_product_in_state on :schema.batches (product_id, state, created_at, id);

create table :schema.requests (
  batch_id text not null,
  id text not null,
  organization_id text not null,
  supplier_id text not null,
  role text not null,
  tier integer not null,
  mail text not null default 'pending',
  opened_at bigint,
  answer text,
  state text not null generated always as (
    coalesce(answer, case when opened_at is not null then 'opened' end, mail)
  ) stored,
  created_at bigint not null,
  primary key (batch_id, id)
);
create index requests_of_supplier on :schema.requests (supplier_id, created_at, id);

-- Which suppliers a batch involves.
create table :schema.supplier_batches (
  batch_id text not null,
  supplier_id text not null,
  role text not null,
  linked_at bigint not null,
  primary key (batch_id, supplier_id)
);
create index supplier_batches_of_supplier on :schema.supplier_batches (supplier_id, linked_at, batch_id);

create table :schema.passports (
  id text primary key,
  organization_id text not null,
  batch_id text not null,
  product_id text not null,
  gtin text not null,
  gtin14 text not null,
  serial text not null,
  qr_url text not null,
  published_at bigint not null,
  updated_at bigint not null,
  version integer not null,
  co2_per_unit double precision,
  preliminary boolean not null
);
create index passports_of_organization on :schema.passports (organization_id, published_at, id);
create index passports_of_product on :schema.passports (product_id, published_at, id);
create index passports_by_address on :schema.passports (gtin14, serial);
