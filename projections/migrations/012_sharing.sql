-- Whether the factory lets the organization see what it keeps: it has said so, or has answered a request, since it last declined.
alter table :schema.suppliers add column granted boolean not null default false;
alter table :schema.suppliers
  add column sharing text not null generated always as (
    case when declined then 'declined' when granted or answered then 'granted' else 'asked' end
  ) stored;
