-- A membership that came by a copied invitation link: the admin who copied it can have accepted it with
-- somebody else's address. It ends with the first verification of that address, unless this happens in
-- a session of the account (server/team/end-unproved-membership.ts).
alter table memberships add column came_by_copied_link boolean not null default false;
update memberships m set came_by_copied_link = true
from accounts a
where a.id = m.account_id and a.email_verified_at is null
  and exists (select from invitations i where i.org_id = m.org_id and i.accepted_by = m.account_id);
