-- The rows that led to a product, so that a later row of the file is told of the one before it.
alter table :schema.import_outcomes add column product_id text;
create index import_outcomes_of_product on :schema.import_outcomes (import_id, product_id, position)
  where product_id is not null;
