-- Rows of an uploaded file that may make a product: a plan counts those, not the further variants of one.
alter table :schema.import_files add column product_rows integer not null default 0;
