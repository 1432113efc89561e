-- The deletion of an organization looked once whether it was still wanted, and then asked other services for minutes. A
-- cancellation or a legal hold that was answered meanwhile stopped nothing: from this time on, both are refused.
alter table organization_deletions add column begun_at timestamptz;

create or replace function delete_organization() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  tenant_table text;
  left_over integer;
  round integer := 0;
begin
  perform 1 from organization_deletions where org_id = org and due_at <= now() and begun_at is not null for update;
  if not found then return false; end if;
  update organizations set logo_file_id = null where id = org;
  loop
    left_over := 0;
    round := round + 1;
    for tenant_table in
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and a.attname = 'org_id' and not a.attisdropped
    loop
      begin
        execute format('delete from %I where org_id = $1', tenant_table) using org;
      exception when foreign_key_violation then
        left_over := left_over + 1;
      end;
    end loop;
    exit when left_over = 0 or round > 20;
  end loop;
  delete from organizations where id = org;
  return true;
end $$;
