-- An account belongs to a person. Its address counts as verified by a link that was mailed to it and
-- shown to no one else, or by the SSO of an organization that has verified its domain.

-- A mailed and a copied invitation link carry different tokens; only the mailed one verifies.
-- Null where no mail left the machine.
alter table invitations
  add column mailed_token_hash bytea,
  add constraint invitations_mailed_token_hash_key unique (mailed_token_hash);

-- Set where the reset link was mailed to the account's address; an operator hands over the others.
alter table password_resets add column mailed boolean not null default false;

-- Until now, accepting any invitation link counted as a verification, also a copied one.
update accounts a set email_verified_at = null
where exists (select from invitations i where i.accepted_by = a.id)
  and not exists (select from email_verifications v where v.account_id = a.id and v.used_at is not null)
  and not exists (select from sso_identities s where s.account_id = a.id);
