-- The addresses in a factory's catalogue, of its facilities and of its sub-suppliers' contacts: the log knows the entries by id.
create table :schema.catalogue_addresses (
  entry_id text primary key,
  factory_id text not null,
  address text not null
);
create index catalogue_addresses_of_factory on :schema.catalogue_addresses (factory_id);

-- Copies of certificates, stored under what they hold.
create table :schema.certificate_files (
  sha256 text primary key,
  content bytea not null,
  created_at timestamptz not null default now()
);

-- Which certificates show a file: the last one that goes takes it along.
create table :schema.certificate_file_uses (
  certificate_id text primary key,
  sha256 text not null references :schema.certificate_files
);
create index certificate_file_uses_of_file on :schema.certificate_file_uses (sha256);
