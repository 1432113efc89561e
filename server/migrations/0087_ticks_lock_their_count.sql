-- A tick of a call that has just ended locked its step, and then the call, to count it again. A PUT that had waited for
-- that end had locked the call, and then wanted the step: a deadlock, and one of them was refused with 409. What is
-- counted again has a row of its own, which is locked last by everyone.
create or replace function count_calls(ids uuid[]) returns setof uuid
language plpgsql set search_path = public, pg_temp as $$
begin
  -- Transactions that change the same call wait here, and then see each other's rows.
  perform 1 from counted_calls k where k.call_id = any (ids) order by k.call_id for no key update;
  perform 1 from calls c
    where c.id = any (ids) and not exists (select 1 from counted_calls k where k.call_id = c.id)
    order by c.id for no key update;
  return query insert into counted_calls as counted (call_id, org_id, day, room_id, playbook_id, agent_id,
    calls, averaged, duration_sec, items, checked_items,
    scores, score_sum, promoters, passives, detractors)
  select f.* from call_figures f where f.call_id = any (ids)
  on conflict (call_id) do update set
    day = excluded.day, room_id = excluded.room_id, playbook_id = excluded.playbook_id,
    agent_id = excluded.agent_id, averaged = excluded.averaged, duration_sec = excluded.duration_sec,
    items = excluded.items, checked_items = excluded.checked_items, scores = excluded.scores,
    score_sum = excluded.score_sum, promoters = excluded.promoters, passives = excluded.passives,
    detractors = excluded.detractors, counted_at = excluded.counted_at
  where (counted.day, counted.room_id, counted.playbook_id, counted.agent_id, counted.averaged,
      counted.duration_sec, counted.items, counted.checked_items, counted.scores, counted.score_sum,
      counted.promoters, counted.passives, counted.detractors)
    is distinct from (excluded.day, excluded.room_id, excluded.playbook_id, excluded.agent_id,
      excluded.averaged, excluded.duration_sec, excluded.items, excluded.checked_items,
      excluded.scores, excluded.score_sum, excluded.promoters, excluded.passives,
      excluded.detractors)
  returning counted.call_id;
end $$;
