-- Mails to people outside that organizations have caused, counted before they go out. `sender` is an organization on pro, else the
-- account that owns it; `recipient` a keyed hash of the address.
create table :schema.third_party_mails (
  message_id text primary key,
  sender text not null,
  recipient bytea not null,
  counted_at timestamptz not null
);
create index third_party_mails_of_sender on :schema.third_party_mails (sender, counted_at, recipient);
create index third_party_mails_by_age on :schema.third_party_mails (counted_at);
