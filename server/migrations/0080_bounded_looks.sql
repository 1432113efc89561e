-- What looks for due work in all organizations reads a bounded part of it, organizations in turn.

-- Running calls in which no participant was seen since `seen_before`: 500, those of each organization longest ago first.
-- The others are found by the next look, a few seconds later.
create or replace function deserted_calls(seen_before timestamptz) returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with deserted as (
    select c.org_id, c.id,
      row_number() over (partition by c.org_id order by c.last_seen_at, c.id) as turn
    from calls c where c.ended_at is null and c.last_seen_at < seen_before
  )
  select d.org_id, d.id from deserted d order by d.turn, d.id limit 500
$$;

-- As in 0055, but a comparison with the empty text looks at the length that the row itself holds, while `length`
-- reads and decompresses all of the notes.
create or replace function calls_without_insights(since timestamptz, until timestamptz)
returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with due as (
    select c.org_id, c.id, row_number() over (partition by c.org_id order by c.ended_at, c.id) as turn
    from calls c left join call_insights i on i.call_id = c.id
      left join lateral (
        select max(t.created_at) as last_line_at from transcript_lines t
        where t.org_id = c.org_id and t.call_id = c.id
      ) said on true
    where c.ended_at between since and until
      and (said.last_line_at is not null or c.notes_snapshot <> '')
      and case
        when i.call_id is null then true
        when i.state = 'working' then i.requested_at < now() - interval '10 minutes'
        when i.state = 'failed' then i.tries < 5
          and i.requested_at < now() - interval '1 minute' * power(4, i.tries)
        else i.generated_at < greatest(c.ended_at, said.last_line_at)
      end
  )
  select d.org_id, d.id from due d order by d.turn, d.id limit 100
$$;
