-- Where the first event of the stream `deployment` stands in the log that the checkpoints are of: in a copy it stands elsewhere. Null
-- until a start has looked.
alter table :schema.deployment add column log_position bigint;
