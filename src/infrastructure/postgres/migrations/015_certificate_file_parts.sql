-- Copies of certificates in pieces, so that nobody holds a whole one in memory, neither coming nor going. They are compressed
-- already, so Postgres need not try.
create table :schema.certificate_file_parts (
  sha256 text not null references :schema.certificate_files on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (sha256, part)
);
alter table :schema.certificate_file_parts alter column content set storage external;
insert into :schema.certificate_file_parts (sha256, part, content)
  select sha256, part, substring(content from part * 262144 + 1 for 262144)
    from :schema.certificate_files, generate_series(0, (length(content) - 1) / 262144) as part;
alter table :schema.certificate_files add column bytes integer;
update :schema.certificate_files set bytes = length(content);
alter table :schema.certificate_files alter column bytes set not null;
alter table :schema.certificate_files drop column content;
create index certificate_file_uses_of_factory on :schema.certificate_file_uses (factory_id);
