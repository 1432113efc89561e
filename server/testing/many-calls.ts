import pg from 'pg';

/** An organization to fill, which exists already. */
export interface Filled {
  orgId: string;
  calls: number;
  rooms: number;
  agents: number;
  /** The calls are spread over as many days until now. */
  days: number;
}

const batch = 50_000;
/** A version 7 UUID of the moment `at` (RFC 9562). */
const idAt = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
  || substr(md5(random()::text), 1, 3) || 'a' || substr(md5(random()::text), 1, 15))::uuid`;

/**
 * Fills organizations with ended calls, their checklists, participants, scores, and audit events, as the
 * owner and without triggers and foreign keys, and then counts the calls.
 * @param say is told the progress, a line at a time
 */
export async function makeManyCalls(
  login: pg.ClientConfig,
  organizations: readonly Filled[],
  say: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  const tell = (line: string) =>
    say(`${((performance.now() - startedAt) / 1000).toFixed(0)} s  ${line}`);
  const one = await connect(login);
  const other = await connect(login);
  try {
    await fill(one, other, organizations, tell);
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

async function fill(
  one: pg.Client,
  other: pg.Client,
  organizations: readonly Filled[],
  tell: (line: string) => void,
): Promise<void> {
  await one.query(`create unlogged table made_calls (org_id uuid, n integer, id uuid, at timestamptz,
    room_id uuid, playbook_id uuid, agent_id uuid)`);
  const inTwo = async (statements: (readonly [string, unknown[]])[]) => {
    const work = async (client: pg.Client) => {
      for (let next = statements.shift(); next; next = statements.shift()) {
        await client.query(...next);
      }
    };
    await Promise.all([work(one), work(other)]);
  };
  for (const filled of organizations) {
    const { orgId, calls } = filled;
    await one.query(peopleAndRooms, [orgId, filled.rooms, filled.agents]);
    await inTwo(
      ranges(calls).map(([from, to]) => [newCalls, [orgId, from, to, calls, filled.days]] as const),
    );
    tell(`${calls} calls`);
    for (const [what, statement] of Object.entries(partsOfCalls)) {
      await inTwo(ranges(calls).map(([from, to]) => [statement, [orgId, from, to]] as const));
      tell(what);
    }
    await one.query(callCounts, [orgId]);
  }
  for (const { orgId } of organizations) {
    let counted = 0;
    const batches = await batchesOf(one, orgId);
    const work = async (client: pg.Client) => {
      await client.query(asTenant, [orgId]);
      for (let ids = batches.shift(); ids; ids = batches.shift()) {
        await client.query('select count(*) from count_calls($1)', [ids]);
        counted += ids.length;
        tell(`counted ${counted} calls`);
      }
    };
    await Promise.all([work(one), work(other)]);
    // Without triggers, counting noted no changes; this makes the days of the counted calls.
    await one.query('select count(*) from repair_analytics_days()');
    tell('summed by day');
  }
  await one.query('drop table made_calls');
  await one.query('vacuum analyze');
  tell('vacuumed');
}

/** Makes organizations of one room and five calls each. */
export async function makeSmallOrganizations(login: pg.ClientConfig, count: number): Promise<void> {
  const client = await connect(login);
  await client.query(
    `with org as (
        insert into organizations (id, name)
        select gen_random_uuid(), 'Small ' || n from generate_series(1, $1) n returning id
      ), room as (
        insert into rooms (id, org_id, topic, call_count)
        select gen_random_uuid(), id, 'Onboarding', 5 from org returning id, org_id
      )
      insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec, last_seen_at, created_at)
      select ${idAt}, org_id, room_id, at, at + interval '15 minutes', 900, at, at
      from (select org_id, id as room_id, now() - n * interval '3 days' as at
        from room, generate_series(1, 5) n) calls`,
    [count],
  );
  await client.end();
}

async function connect(login: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(login);
  await client.connect();
  await client.query(`set session_replication_role = replica;
    set synchronous_commit = off; set statement_timeout = 0`);
  return client;
}

const ranges = (calls: number) =>
  Array.from({ length: Math.ceil(calls / batch) }, (_, index) => [
    index * batch + 1,
    Math.min((index + 1) * batch, calls),
  ]);

const peopleAndRooms = `with people as (
    insert into accounts (id, email, first_name, last_name)
    select gen_random_uuid(), 'agent-' || n || '-' || $1::uuid::text || '@example.com', 'Agent', n::text
    from generate_series(1, $3) n returning id
  ), members as (
    insert into memberships (org_id, account_id, role) select $1::uuid, id, 'AGENT' from people
  )
  insert into rooms (id, org_id, topic, playbook_id)
  select gen_random_uuid(), $1::uuid, 'Quarterly review ' || n,
    case when n % 2 = 0 then (select id from playbooks where org_id = $1::uuid limit 1) end
  from generate_series(1, $2) n`;

const newCalls = `with room as (
    select id, playbook_id, row_number() over (order by id) - 1 as n, count(*) over () as of
    from rooms where org_id = $1::uuid
  ), agent as (
    select account_id as id, row_number() over (order by account_id) - 1 as n, count(*) over () as of
    from memberships where org_id = $1::uuid
  ), made as (
    insert into made_calls
    select $1::uuid, moments.n, ${idAt}, at, room.id, room.playbook_id, agent.id
    from (select n, now() - ($4::int - n) * ($5::int * interval '1 day' / $4::int) - interval '1 hour' as at
      from generate_series($2::int, $3::int) n) moments
    join room on room.n = moments.n % room.of
    join agent on agent.n = moments.n * 7 % agent.of
    returning *
  )
  insert into calls (id, org_id, room_id, playbook_id, started_by, started_at, ended_at, duration_sec,
    last_seen_at, notes_snapshot, created_at)
  select id, org_id, room_id, playbook_id, agent_id, at, at + (300 + n % 2400) * interval '1 second',
    300 + n % 2400, at, 'Asked about the renewal, wants the export by Friday.', at
  from made`;

const partsOfCalls = {
  checklists: `insert into call_checklist_items (org_id, call_id, item_id, text, position, checked_at)
    select $1::uuid, m.id, i.id, i.text, i.position, case when (m.n + i.position) % 4 > 0 then m.at end
    from made_calls m join playbook_items i on i.playbook_id = m.playbook_id
    where m.org_id = $1::uuid and m.n between $2 and $3`,
  participants: `insert into attendances (id, org_id, call_id, kind, account_id, name, joined_at, last_seen_at, left_at)
    select ${idAt}, $1::uuid, m.id, kind, case kind when 'staff' then m.agent_id end, 'Someone', m.at, m.at, m.at
    from made_calls m, (values ('staff'), ('guest')) kinds (kind)
    where m.org_id = $1::uuid and m.n between $2 and $3 and (kind = 'staff' or m.n % 5 > 0)`,
  scores: `insert into ratings (id, org_id, call_id, kind, account_id, score, created_at, updated_at)
    select ${idAt}, $1::uuid, m.id, 'staff', m.agent_id, m.n % 11, m.at, m.at
    from made_calls m where m.org_id = $1::uuid and m.n between $2 and $3 and m.n % 3 > 0`,
  'audit events': `insert into audit_events (id, org_id, actor_kind, actor_id, action, entity, entity_id, created_at)
    select ${idAt}, $1::uuid, 'user', m.agent_id::text, action, 'call', m.id, m.at
    from made_calls m, (values ('CALL_CREATED'), ('CALL_ENDED')) actions (action)
    where m.org_id = $1::uuid and m.n between $2 and $3`,
};

const callCounts = `update rooms r set call_count = c.calls, newest_month = date_trunc('month', now()),
    calls_in_month = c.in_month
  from (
    select room_id, count(*) as calls, count(*) filter (where at >= date_trunc('month', now())) as in_month
    from made_calls where org_id = $1::uuid group by room_id
  ) c
  where r.id = c.room_id`;

const asTenant = "select set_config('app.tenant', $1, false)";

/** Returns the ids of the organization's calls, in batches. */
async function batchesOf(client: pg.Client, orgId: string): Promise<string[][]> {
  const { rows } = await client.query<{ ids: string[] }>(
    `select array_agg(id order by n) as ids from made_calls where org_id = $1 group by (n - 1) / $2 order by min(n)`,
    [orgId, batch],
  );
  return rows.map(({ ids }) => ids);
}
