-- Where the log lies whose positions the checkpoints are; no row before it is moved for the first time.
create table :schema.log_home (
  only_one boolean primary key default true check (only_one),
  -- The log's first event, and where it stands there: in a copy it stands elsewhere.
  event_id uuid not null,
  position bigint not null,
  -- For people, without the password.
  address text not null
);
