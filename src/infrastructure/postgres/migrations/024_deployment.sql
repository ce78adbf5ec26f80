-- Which deployment this Postgres belongs to; the event store says the same in its stream `deployment`.
create table :schema.deployment (
  is_only boolean primary key default true check (is_only),
  id text not null,
  founded_at timestamptz not null default now(),
  -- The event store has been seen to say the same. Before, it is a first start that is under way or was cut off.
  is_agreed boolean not null default false,
  -- The id that an adoption under way, or cut off, gives to both.
  adopting_id text
);
