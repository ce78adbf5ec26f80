-- Files that were uploaded to be imported, as the cells that were read: the bytes are not needed again. They run out.
create table :schema.import_files (
  id text primary key,
  organization_id text not null,
  -- SHA-256 of the bytes, hex.
  file_hash text not null,
  file_type text not null,
  mode text not null check (mode in ('create', 'upsert')),
  -- Columns, notes, format and width of the sheet.
  sheet jsonb not null,
  -- As given with the upload.
  mapping jsonb not null,
  row_count integer not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index import_files_of_organization on :schema.import_files (organization_id, created_at);
create index import_files_by_expiry on :schema.import_files (expires_at);

-- `cells` is JSON kept as text: what a sheet holds need not be what jsonb takes.
create table :schema.import_file_rows (
  file_id text not null references :schema.import_files on delete cascade,
  position integer not null,
  row integer not null,
  cells text not null,
  primary key (file_id, position)
);

-- The id is the file's: one file has one import.
create table :schema.imports (
  id text primary key,
  organization_id text not null,
  file_hash text not null,
  mode text not null check (mode in ('create', 'upsert')),
  -- Columns and fields as the rows are read by.
  bindings jsonb not null,
  sheet jsonb not null,
  actor jsonb not null,
  correlation_id text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'cancelled', 'failed')),
  failure text,
  total integer not null,
  -- Rows with an outcome; rows are done in their order.
  done integer not null default 0,
  counts jsonb not null,
  cancel_requested boolean not null default false,
  created_at bigint not null,
  started_at bigint,
  -- When the last rows were done.
  moved_at bigint,
  ended_at bigint
);
create index imports_of_organization on :schema.imports (organization_id, created_at desc, id desc);

create table :schema.import_outcomes (
  import_id text not null references :schema.imports on delete cascade,
  position integer not null,
  outcome text not null,
  detail text not null,
  primary key (import_id, position)
);
create index import_outcomes_failed on :schema.import_outcomes (import_id, position) where outcome = 'error';

create table :schema.import_mappings (
  organization_id text not null,
  file_type text not null,
  mapping jsonb not null,
  updated_at bigint not null,
  primary key (organization_id, file_type)
);
