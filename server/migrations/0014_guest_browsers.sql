-- By which browser a guest came, as its own cookie says: who was sent out or refused does not come
-- back from a fresh tab. Staff are known by their account.
alter table attendances add column browser_id uuid;
alter table lobby_entries add column browser_id uuid;
create index lobby_entries_refused on lobby_entries (org_id, room_id, browser_id)
  where state = 'refused';
