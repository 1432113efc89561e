-- Making a month's partition locks the whole log. Behind a transaction that takes minutes it waited for ten seconds, and
-- everyone behind it. It waits briefly now, and is tried again each hour: months are made long before they begin.
create or replace function make_audit_partitions(first date, months integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  month date := date_trunc('month', first);
  made integer := 0;
  partition_name text;
begin
  for i in 1 .. least(months, 240) loop
    partition_name := 'audit_events_' || to_char(month, 'YYYY_MM');
    if to_regclass('public.' || partition_name) is null then
      execute format(
        'create table %I partition of audit_events for values from (%L) to (%L)',
        partition_name, month::timestamp at time zone 'UTC',
        (month + interval '1 month')::timestamp at time zone 'UTC');
      execute format('alter table %I enable row level security', partition_name);
      execute format('alter table %I force row level security', partition_name);
      made := made + 1;
    end if;
    month := month + interval '1 month';
  end loop;
  return made;
exception when lock_not_available then
  return 0;
end $$;
