create index imports_queued on :schema.imports (created_at) where state = 'queued';
