-- What was said of an import's rows is kept for a while; the import itself, with its counts, stays.
alter table :schema.imports add column has_report boolean not null default true;
create index imports_with_report on :schema.imports (ended_at) where has_report;
