-- Whose certificate it is, and when it was last seen to be there: the copy of one that was removed while its remover was killed
-- is found by that. Rows from before have no factory and are left alone.
alter table :schema.certificate_file_uses add column factory_id text;
alter table :schema.certificate_file_uses add column checked_at timestamptz not null default now();
create index certificate_file_uses_to_check on :schema.certificate_file_uses (checked_at) where factory_id is not null;
