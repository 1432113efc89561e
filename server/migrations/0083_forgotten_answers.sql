-- Kept answers of an organization are forgotten at once, by one row, however many there are
-- (server/consent/forget-kept-answers.ts). Their generation is how many erasures the request saw when it began: with
-- another one they are forgotten, and their texts are emptied later, a bounded number at a time. So one that read what
-- was just being erased is forgotten, too. Rows are added up in another, never changed: erasures wait for no other.
create table api_answer_erasures (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references organizations (id) on delete cascade,
  erasures bigint not null default 1
);
create index api_answer_erasures_of_organization on api_answer_erasures (org_id) include (erasures);

alter table api_answer_erasures enable row level security;
alter table api_answer_erasures force row level security;
create policy tenant on api_answer_erasures
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on api_answer_erasures to current_user using (true);

alter table api_answers add column generation bigint not null default 0;
-- What was forgotten before this migration stays so.
insert into api_answer_erasures (org_id)
  select distinct org_id from api_answers where forgotten_at is not null;
update api_answers a set generation = 1
  where a.forgotten_at is null and a.org_id in (select org_id from api_answer_erasures);
drop index api_answers_to_forget;
alter table api_answers drop column forgotten_at;
create index api_answers_with_text on api_answers (org_id, generation) where answer_sealed is not null;

-- Empties answers that were forgotten, of all organizations. Returns how many.
create function empty_forgotten_answers(most integer) returns integer
language sql volatile security definer set search_path = public, pg_temp as $$
  with generations as (
    select org_id, sum(erasures) as generation from api_answer_erasures group by org_id
  ), due as (
    select a.id from generations g
    join api_answers a on a.org_id = g.org_id and a.generation < g.generation and a.answer_sealed is not null
    limit most for no key update of a skip locked
  ), emptied as (
    update api_answers a set answer_sealed = null from due d where a.id = d.id returning 1
  )
  select count(*)::integer from emptied
$$;
revoke all on function empty_forgotten_answers(integer) from public;

-- Adds up the erasures of organizations that have many.
create function add_up_erasures() returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  with crowded as (
    select org_id from api_answer_erasures group by org_id having count(*) > 20
  ), removed as (
    delete from api_answer_erasures e using crowded c where e.org_id = c.org_id returning e.org_id, e.erasures
  )
  insert into api_answer_erasures (org_id, erasures) select org_id, sum(erasures) from removed group by org_id
$$;
revoke all on function add_up_erasures() from public;
