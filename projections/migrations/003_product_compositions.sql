-- What an import compares its rows with. `materials` is JSON; null in a row that was written before this column was there.
alter table :schema.products
  add column materials text,
  add column supplier_name text,
  -- The import that the product's fields last came from; null when somebody has changed them since.
  add column import_id text;
