-- A verification link proves the address that it was mailed to, and no address that the account has later.
alter table email_verifications add column email text;
update email_verifications v set email = a.email from accounts a where a.id = v.account_id;
alter table email_verifications alter column email set not null;
