-- When a token of a hosted page stops to admit. It is chosen before the token is stored, and asked of the provider:
-- counted from the storing, it would end before the token, which waits for the provider. A process of the version
-- before, which does not know the column, asked for five minutes from a moment up to half a minute later.
alter table hosted_tokens add column expires_at timestamptz;
update hosted_tokens set expires_at = created_at + interval '6 minutes';
alter table hosted_tokens
  alter column expires_at set default now() + interval '6 minutes',
  alter column expires_at set not null;
create index hosted_tokens_ends on hosted_tokens (org_id, expires_at);
