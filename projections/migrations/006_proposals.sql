-- Suppliers that factories have named behind a material, and what the brands made of it.
create table :schema.proposals (
  id text primary key,
  organization_id text not null,
  request_id text not null,
  batch_id text not null,
  product_id text not null,
  product_name text not null,
  proposed_by text not null,
  material_type text not null,
  name text not null,
  factory_id text not null,
  country text,
  tier integer not null,
  state text not null,
  supplier_id text,
  created_at bigint not null,
  decided_at bigint
);
create index proposals_of_organization on :schema.proposals (organization_id, created_at, id);
create index proposals_of_organization_in_state on :schema.proposals (organization_id, state, created_at, id);

-- Whether the factory has answered a request of the organization since it last declined: before, and without a confirmed link, the
-- organization sees nothing of its catalogue.
alter table :schema.suppliers add column answered boolean not null default false;
-- These tables do not say when an answer came: who answered, declined and was invited again counts here as having answered, until
-- a rebuild reads it from the log.
update :schema.suppliers s set answered = true
 where not declined
   and exists (select from :schema.requests r where r.supplier_id = s.id and r.answer is not null);
