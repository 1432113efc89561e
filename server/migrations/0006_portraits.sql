-- Organisations that keep portraits which were replaced or removed, or whose person has left.
create function organizations_with_old_portraits() returns table (org_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct f.org_id from files f
  where f.kind = 'portrait' and not exists (
    select 1 from accounts a where a.profile_image_url = '/portraits/' || f.id || '.webp')
$$;

revoke all on all functions in schema public from public;
