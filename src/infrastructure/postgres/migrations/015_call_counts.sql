-- Calls of more callers than socket addresses are counted: of API keys too, in windows of their own length.
alter table :schema.auth_calls rename to call_counts;
alter table :schema.call_counts rename column address_hash to caller_hash;
alter index :schema.auth_calls_by_end rename to call_counts_by_end;
