-- Suppliers that an import has named and nobody has invited yet.
alter table :schema.suppliers
  drop column state,
  add column recorded boolean not null default false;
alter table :schema.suppliers
  add column state text not null generated always as (
    case when declined then 'declined' when confirmed then 'confirmed' when recorded then 'recorded' else 'invited' end
  ) stored;
