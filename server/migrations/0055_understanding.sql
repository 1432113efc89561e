-- What models answer about calls, what that costs, and how much of it each organization wants.

create table ai_settings (
  org_id uuid primary key references organizations (id) on delete cascade,
  -- Name of an analyzer that the operator configured; null follows the operator's choice.
  provider text,
  monthly_tokens bigint,
  -- Millionths of the operator's currency.
  monthly_cost bigint,
  changed_at timestamptz not null default now(),
  changed_by uuid references accounts (id) on delete set null,
  constraint ai_settings_tokens check (monthly_tokens >= 0),
  constraint ai_settings_cost check (monthly_cost >= 0)
);

-- Sums of each month, because budgets are checked before each question.
create table ai_usage (
  org_id uuid not null references organizations (id) on delete cascade,
  month date not null,
  provider text not null,
  model text not null,
  answers integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  -- Null where the operator entered no prices.
  cost bigint,
  primary key (org_id, month, provider, model)
);

-- One row for each answer of a model. A question with the same content is answered from here.
create table ai_answers (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  question text not null,
  prompt_version integer not null,
  -- Of everything that was sent.
  content_hash bytea not null,
  provider text not null,
  model text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cost bigint,
  -- Null for a refused answer, and once it is superseded.
  answer jsonb,
  answered_at timestamptz not null default now(),
  constraint ai_answers_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);
create index ai_answers_of_call on ai_answers (org_id, call_id, question, content_hash);

-- What is kept of a call after its end.
create table call_insights (
  call_id uuid primary key,
  org_id uuid not null,
  state text not null,
  insights jsonb,
  analyzer jsonb,
  tries integer not null default 0,
  requested_at timestamptz not null default now(),
  generated_at timestamptz,
  constraint call_insights_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint call_insights_state check (state in ('working', 'ready', 'empty', 'failed')),
  constraint call_insights_content check (insights is null or state <> 'empty')
);
create index call_insights_of_org on call_insights (org_id, call_id);

-- When the last line of a call was stored.
create index transcript_lines_stored on transcript_lines (org_id, call_id, created_at);

-- Where an item of the transcript or the notes comes from.
alter table action_items
  add column cited_line_id uuid,
  add column cited_start_ms integer,
  add column cited_speaker text,
  add column cited_note_line integer;

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['ai_settings', 'ai_usage', 'ai_answers', 'call_insights'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- What is derived from a line goes with it, whoever deletes it: a withdrawn consent, a retention rule, an erasure. What
-- members wrote themselves stays, without the quotation.
create function forget_derived() returns trigger
language plpgsql as $$
begin
  delete from ai_answers a using (select distinct org_id, call_id from gone) g
    where a.org_id = g.org_id and a.call_id = g.call_id;
  delete from call_insights i using (select distinct org_id, call_id from gone) g
    where i.org_id = g.org_id and i.call_id = g.call_id;
  delete from action_items i using gone g
    where i.org_id = g.org_id and i.call_id = g.call_id and i.cited_line_id = g.id
      and i.edited_at is null and i.completed_at is null;
  update action_items i set description = '', cited_line_id = null, cited_start_ms = null, cited_speaker = null
    from gone g
    where i.org_id = g.org_id and i.call_id = g.call_id and i.cited_line_id = g.id;
  return null;
end $$;
create trigger transcript_lines_forget_derived
  after delete on transcript_lines referencing old table as gone
  for each statement execute function forget_derived();

-- As in migration 0050, and for calls with a transcript, until the list is newer than its last line.
create or replace function calls_without_action_items(
  since timestamptz, until timestamptz, longer_than integer)
returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with due as (
    select c.org_id, c.id, f.tries,
      row_number() over (
        partition by c.org_id order by f.tries nulls first, c.ended_at, c.id
      ) as turn
    from calls c left join action_item_failures f on f.call_id = c.id
      left join lateral (
        select max(t.created_at) as last_line_at from transcript_lines t
        where t.org_id = c.org_id and t.call_id = c.id
      ) said on true
    where c.ended_at between since and until
      and case
        when said.last_line_at is not null then true
        when octet_length(c.notes_snapshot) <= longer_than then false
        when octet_length(c.notes_snapshot) > 4 * longer_than then true
        else length(c.notes_snapshot) > longer_than
      end
      and (f.call_id is null or (f.tries < 5 and f.next_try_at <= now()))
      and not exists (
        select 1 from action_item_lists l
        where l.call_id = c.id and l.analyzer is not null
          and coalesce(l.generated_at, l.created_at) >= greatest(c.ended_at, said.last_line_at)
      )
  )
  select d.org_id, d.id from due d order by d.turn, d.tries nulls first, d.id limit 100
$$;

-- Ended calls with something to read, whose insights are missing, older than the last line, or failed with tries left.
create function calls_without_insights(since timestamptz, until timestamptz)
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
      and (said.last_line_at is not null or length(c.notes_snapshot) > 0)
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
revoke all on function calls_without_insights(timestamptz, timestamptz) from public;
