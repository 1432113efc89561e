-- What the fifteenth review found (docs/security-review.md).

-- Segments that can be joined, as in migration 0053, the oldest of each organization in turn: an organization with
-- many does not keep those of others out of a look.
drop function segments_to_join(integer);
create function segments_to_join(of_organization integer, in_all integer)
returns table (org_id uuid, segment_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with due as (
    select m.org_id, m.segment_id, m.id, row_number() over (
        partition by m.org_id order by m.next_attempt_at, m.id) as turn
    from recorded_media m
    join recorded_segments s on s.id = m.segment_id
    join recorded_tracks t on t.id = s.track_id
    left join attendances a on a.id = t.participant_id and a.call_id = t.call_id
    join calls c on c.id = t.call_id
    where m.state = 'waiting' and m.next_attempt_at <= now()
      -- A page that sent nothing may still have its parts, for as long as its upload token is valid.
      and (s.stored_parts > 0 or s.part_count = 0 or s.started_at < now() - interval '25 hours')
      and (
        (s.completed_at is not null and s.stored_parts >= s.part_count)
        or (greatest(s.last_part_at, s.started_at) < now() - interval '90 seconds'
          and (s.completed_at is not null or c.ended_at is not null or a.id is null or a.left_at is not null
            or a.last_seen_at < now() - interval '2 minutes'))
        or greatest(s.last_part_at, s.started_at) < now() - interval '1 hour'
      )
  )
  select d.org_id, d.segment_id from due d where d.turn <= of_organization
  order by d.turn, d.id limit in_all
$$;
revoke all on function segments_to_join(integer, integer) from public;

-- Files that are due, of one organization or of all, the oldest of each organization: one that has many to delete does
-- not keep those of others waiting.
drop function files_to_delete(integer);
drop index discarded_files_due;
create index discarded_files_due on discarded_files (org_id, next_attempt_at);
create function files_to_delete(of_organization uuid, each integer)
returns table (org_id uuid, file_key text)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, f.file_key
  from organizations o cross join lateral (
    select d.file_key from discarded_files d
    where d.org_id = o.id and d.next_attempt_at <= now() order by d.next_attempt_at limit each
  ) f
  where of_organization is null or o.id = of_organization
$$;
revoke all on function files_to_delete(uuid, integer) from public;

-- Receipts of a guest, by the name that they entered. As for attendances (migration 0044).
create index consents_by_guest_name on consents (org_id, lower(name))
  where participant_kind = 'guest' and name <> 'Deleted person';
create function consents_of_guest(guest text) returns setof uuid
language sql stable security definer rows 10 set search_path = public, pg_temp as $$
  select s.id from consents s
  where s.org_id = nullif(current_setting('app.tenant', true), '')::uuid
    and s.participant_kind = 'guest' and s.name <> 'Deleted person' and lower(s.name) = guest
  union
  select s.id from attendances_of_guest(guest) a(id)
  join consents s on s.org_id = nullif(current_setting('app.tenant', true), '')::uuid
    and s.participant_id = a.id
$$;
alter function consents_of_guest(text) set enable_seqscan = off;
revoke all on function consents_of_guest(text) from public;

-- The receipt that this one continues: a person who reloads is a new participant of the same call, and is not asked
-- again.
alter table consents add column continues uuid;

-- When a member wrote the title. Until then, it is what an analyzer wrote, mostly with a speaker's own words.
alter table action_items add column title_edited_at timestamptz;
update action_items set title_edited_at = edited_at
  where cited_line_id is not null and edited_at is not null;

-- As in migration 0055, and a generated item goes with its phrase, unless a member has written its title. A model writes
-- an item from what several people said, and cites one of them: those that no one has completed go with any phrase, and
-- are generated again on request.
create or replace function forget_derived() returns trigger
language plpgsql as $$
begin
  delete from ai_answers a using (select distinct org_id, call_id from gone) g
    where a.org_id = g.org_id and a.call_id = g.call_id;
  delete from call_insights i using (select distinct org_id, call_id from gone) g
    where i.org_id = g.org_id and i.call_id = g.call_id;
  delete from action_items i using gone g
    where i.org_id = g.org_id and i.call_id = g.call_id and i.cited_line_id = g.id
      and i.title_edited_at is null;
  delete from action_items i using action_item_lists l
    where l.org_id = i.org_id and l.call_id = i.call_id and not l.offline
      and i.cited_line_id is not null and i.title_edited_at is null and i.completed_at is null
      and exists (select from gone g where g.org_id = i.org_id and g.call_id = i.call_id);
  update action_items i
    set description = '', due = null, owner = nullif(owner, cited_speaker), cited_line_id = null, cited_start_ms = null, cited_speaker = null
    from gone g
    where i.org_id = g.org_id and i.call_id = g.call_id and i.cited_line_id = g.id;
  return null;
end $$;
