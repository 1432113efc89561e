import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readCall } from '#domain/calls/contract.ts';
import { callSorts } from '#domain/calls/filter.ts';
import { listConsents } from '#domain/consent/contract.ts';
import { callId } from '#domain/ids.ts';
import { getTranscript } from '#domain/transcripts/contract.ts';
import { defineJobs } from '#server/jobs.ts';
import { allContracts, ofTenants } from '#server/testing/contracts.ts';
import { makeManyCalls, makeSmallOrganizations } from '#server/testing/many-calls.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { planOf, recordStatements, rowsRead, type Sent } from '#server/testing/query-plans.ts';
import { requestOf, unknownThings } from '#server/testing/requests.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

/** Tables that grow with the calls of an organization. */
const growing =
  /^(calls|call_checklist_items|call_note_updates|attendances|ratings|chat_messages|counted_calls|analytics_days|analytics_changes|search_texts|search_words|audit_events.*)$/;
/** A small organization's scan of a large table would be as bad as a large one's. */
const mostScanned = 1_000;
/** A page of a hundred rooms has twenty calls of each. */
const mostRead = 5_000;

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let asApp: pg.Client;
const record = recordStatements();
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  await runningCall(ada);
  const { orgId } = ada.user;
  if (!orgId) throw new Error('she has an organization');
  const filled = { orgId, calls: 100_000, rooms: 200, agents: 20, days: 90 };
  // Many organizations, of which plans for any values expect the average number of calls.
  await makeSmallOrganizations(app.ownerLogin, 5_000);
  await makeManyCalls(app.ownerLogin, [filled], () => {});
  asApp = new pg.Client(app.ownerLogin);
  await asApp.connect();
  await asApp.query(`set role ${asApp.escapeIdentifier(inject('cluster').role.name)}`);
  await asApp.query("select set_config('app.tenant', $1, false)", [orgId]);
}, 180_000);
afterAll(async () => {
  record.end();
  await asApp.end();
  await app.close();
});

async function idOf(statement: string): Promise<string> {
  const { rows } = await app.owner.query<{ id: string }>(statement, [ada.user.orgId]);
  return rows[0]?.id ?? '';
}

/** The list of calls, and their number, by each order and filter that has a plan of its own. */
function pagesOfFilters(room: string, agent: string, playbook: string): string[] {
  const filters = [
    ...['', `&roomId=${room}`, `&agentId=${agent}`, `&playbookId=${playbook}`],
    ...[`&roomId=${room}&agentId=${agent}`, `&playbookId=${playbook}&agentId=${agent}`],
    ...[`&roomId=${room}&playbookId=${playbook}&agentId=${agent}`, '&search=review%2019'],
    ...['&from=2020-01-01', '&score=detractors', `&guests=without&agentId=${agent}&score=none`],
  ];
  return filters.flatMap((filter) => [
    ...callSorts.map((sort) => `/api/calls?limit=20&sort=${sort}${filter}`),
    `/api/call-count?${filter.slice(1)}`,
  ]);
}

/** @returns what is wrong with the plans of the recorded statements */
async function complaints(most: number): Promise<string[]> {
  const found: string[] = [];
  for (const sent of record.sent.values()) {
    for (const generic of [false, true]) {
      for (const node of await planOf(asApp, sent, generic)) {
        const what = `${node['Node Type']} of ${node['Relation Name'] ?? '-'}`;
        const rows = rowsRead(node);
        const isScan =
          node['Node Type'] === 'Seq Scan' && growing.test(node['Relation Name'] ?? '');
        if ((isScan && rows > mostScanned) || rows > most || node['Sort Space Type'] === 'Disk') {
          found.push(`${what}, ${rows} rows, ${generic ? 'any' : 'these'} values: ${sent.text}`);
        }
      }
    }
  }
  record.sent.clear();
  return found;
}

test('every page and list of an organization with 100,000 calls reads few rows, by indexes', async () => {
  const call = await idOf(
    'select id from calls where org_id = $1 order by id desc offset 500 limit 1',
  );
  const early = await idOf('select id from calls where org_id = $1 order by id offset 30 limit 1');
  const room = await idOf(
    'select room_id as id from calls where org_id = $1 order by id desc limit 1',
  );
  const agent = await idOf(
    'select started_by as id from calls where org_id = $1 order by id desc limit 1',
  );
  const playbook = await idOf('select id from playbooks where org_id = $1');
  const things = {
    ...unknownThings,
    rooms: room,
    calls: call,
    playbooks: playbook,
    users: agent,
    organizations: String(ada.user.orgId),
  };
  const paths = ofTenants(await allContracts())
    .filter(({ method, download }) => method === 'GET' && !download)
    .map((contract) => requestOf(contract, things).url);
  const filtered = [
    '/api/rooms?search=review%2019',
    '/api/rooms?status=archived',
    `/api/calls?roomId=${room}&limit=20`,
    `/api/calls?before=${early}`,
    `/api/analytics?roomId=${room}&agentId=${agent}`,
    `/api/analytics?playbookId=${playbook}`,
    `/api/analytics?from=2020-01-01&roomId=${room}&agentId=${agent}`,
    '/api/analytics?from=2026-01-01&to=2026-02-01',
    ...pagesOfFilters(room, agent, playbook),
    '/api/audit-events?action=CALL_ENDED',
    `/api/audit-events?userId=${agent}`,
    `/api/audit-events?from=${new Date(Date.now() - 86_400_000 * 400).toISOString()}&action=CALL_CREATED`,
  ];
  record.isOn = true;
  for (const path of [...paths, ...filtered]) {
    const { status } = await ada.send('GET', path);
    expect([path, status < 500]).toEqual([path, true]);
  }
  record.isOn = false;
  expect(record.sent.size).toBeGreaterThan(30);
  expect(await complaints(mostRead)).toEqual([]);
}, 120_000);

test('jobs find what is due by indexes', async () => {
  const works: (() => Promise<void>)[] = [];
  const jobs = {
    define: (_name: string, _options: object, work: (data: object) => Promise<void>) => {
      works.push(() => work({}));
    },
    start: async () => {},
    stop: async () => {},
  };
  defineJobs({ ...app.services, jobs });
  record.isOn = true;
  for (const work of works) await work();
  record.isOn = false;
  expect(works.length).toBeGreaterThan(8);
  expect(await complaints(Number.POSITIVE_INFINITY)).toEqual([]);
}, 120_000);

/** @returns the rows that the statement read of these tables, also within functions, which no plan shows */
async function rowsReadBy({ text, values }: Sent, of = /./): Promise<number> {
  const count = async () => {
    const { rows } = await asApp.query<{ count: number }>(
      `select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int as count
        from pg_stat_xact_user_tables where relname ~ $1`,
      [of.source],
    );
    return rows[0]?.count ?? 0;
  };
  await asApp.query('begin');
  try {
    const before = await count();
    await asApp.query(text, [...values]);
    return (await count()) - before;
  } finally {
    await asApp.query('rollback');
  }
}

test('R13-6: looking for a guest who never was there reads few rows', async () => {
  const { orgId } = ada.user;
  const many = 'generate_series(1, 5000) n';
  const room = await idOf('select id from rooms where org_id = $1 limit 1');
  const call = await idOf('select id from calls where org_id = $1 limit 1');
  const rowsOf: [string, unknown[]][] = [
    [
      `insert into attendances (id, org_id, call_id, kind, name)
        select gen_random_uuid(), $1, $2, 'guest', 'Guest' from ${many}`,
      [orgId, call],
    ],
    [
      `insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id)
        select gen_random_uuid(), $1, $2, gen_random_uuid(), 'guest', 'Guest', 'Hi', n from ${many}`,
      [orgId, call],
    ],
    [
      `insert into lobby_entries (participant_id, org_id, room_id, name)
        select gen_random_uuid(), $1, $2, 'Guest' from ${many}`,
      [orgId, room],
    ],
    [
      `insert into consents (id, org_id, room_id, participant_id, participant_kind, name, asked, agreed,
          question, question_version, language, client_id)
        select gen_random_uuid(), $1, $2, gen_random_uuid(), 'guest', 'Guest ' || n, '{recording}', '{}',
          '', 1, 'en', '1' from ${many}`,
      [orgId, room],
    ],
    [
      `insert into mails (id, org_id, kind, recipient, subject, body_text, body_html)
        select gen_random_uuid(), $1, 'notice', n || '@example.com', '', '', '' from ${many}`,
      [orgId],
    ],
    [
      `insert into invitations (id, org_id, email, role, token_hash, created_by, expires_at)
        select gen_random_uuid(), $1, n || '@example.com', 'AGENT', sha256(n::text::bytea), $2, now()
        from ${many}`,
      [orgId, ada.user.id],
    ],
  ];
  for (const [statement, values] of rowsOf) await app.owner.query(statement, values);
  await app.owner.query(
    'analyze attendances, chat_messages, consents, lobby_entries, mails, invitations',
  );
  record.isOn = true;
  const erased = await ada.send('POST', '/api/privacy/erase', { guest: 'nobody' });
  const exported = await ada.send('GET', '/api/privacy/person?guest=nobody');
  record.isOn = false;
  expect([erased.status, exported.status]).toEqual([404, 404]);
  const sent = [...record.sent.values()].filter(({ values }) => values.includes('nobody'));
  record.sent.clear();
  expect(sent).toHaveLength(15);
  for (const one of sent) expect([one.text, await rowsReadBy(one)]).toEqual([one.text, 0]);
}, 60_000);

test('R31-C1: a page of the export of a guest with 5,000 attendances reads few rows', async () => {
  const { orgId } = ada.user;
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name,
        start_ms, end_ms, text, recognizer)
      select gen_random_uuid(), org_id, call_id, id, 'guest', 'Guest', 0, 1, 'words', 'test'
      from attendances where org_id = $1 and name = 'Guest' limit 60`,
    [orgId],
  );
  await app.owner.query('analyze transcript_lines');
  record.isOn = true;
  const exported = await ada.send('GET', '/api/privacy/person?guest=Guest');
  record.isOn = false;
  const { transcript_lines: lines } = exported.body as { transcript_lines: unknown[] };
  expect(lines).toHaveLength(60);
  const pages = [...record.sent.values()].filter(({ text }) => text.includes('lateral'));
  record.sent.clear();
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) {
    const read = await rowsReadBy(page);
    expect([page.text, read]).toEqual([page.text, expect.toSatisfy((rows) => rows < 1_000)]);
  }
}, 60_000);

test('a search reads the texts that have its words, or the newest ones, and no others', async () => {
  const room = await idOf('select room_id as id from calls where org_id = $1 order by id limit 1');
  await app.owner.query('set session_replication_role = replica');
  // Those of the chat messages above are newer than all that follow.
  await app.owner.query('delete from search_texts where org_id = $1', [ada.user.orgId]);
  await app.owner.query(
    `insert into search_texts (org_id, call_id, at_ms, kind, source_id, part, text, words)
      select $1, id, 0, 'note', id, n, 'the', format('the:1 of:%s word%s:3 rare%s:4', 2 + n % 2, at % 500, at)::tsvector
      from (select id, row_number() over (order by id) as at from calls where org_id = $1 limit 40000) c,
        generate_series(1, 2) n`,
    [ada.user.orgId],
  );
  await app.owner.query('set session_replication_role = origin');
  await app.owner.query('analyze search_texts');
  const most: Record<string, number> = {
    'q=the': 400,
    'q=rare77': 400,
    'q=word77': 800,
    'q=the word77': 800,
    'q="the of"': 800,
    'q=word77&speaker=ada': 100,
    [`q=the&roomId=${room}`]: 4_000,
    'q=word77&score=promoters': 2_000,
    'q=rare77&from=2020-01-01': 400,
    'q=raer77x': 100,
  };
  for (const [query, rows] of Object.entries(most)) {
    record.isOn = true;
    expect((await ada.send('GET', `/api/search?${query}`)).status).toBe(200);
    record.isOn = false;
    const sent = [...record.sent.values()].filter(({ text }) => text.includes('search_'));
    record.sent.clear();
    const read: number[] = [];
    for (const one of sent) read.push(await rowsReadBy(one, growing));
    expect([query, sent.length > 0, Math.max(...read) <= rows ? 'few' : read]).toEqual([
      query,
      true,
      'few',
    ]);
  }
}, 60_000);

test('R23-B3: lines of a member who came after thousands of guests read few attendances', async () => {
  const { orgId, id: account } = ada.user;
  const call = await idOf(
    'select id from calls where org_id = $1 order by id desc offset 40 limit 1',
  );
  const lines = 100;
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, account_id, name, joined_at)
      select gen_random_uuid(), $1, $2, case when n < 5000 then 'guest' else 'staff' end,
        case when n = 5000 then $3::uuid end, 'Someone', now() + n * interval '1 ms'
      from generate_series(1, 5000) n`,
    [orgId, call, account],
  );
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, account_id, name,
        start_ms, end_ms, text, recognizer)
      select gen_random_uuid(), $1, $2, gen_random_uuid(), 'staff', $3, 'Ada', n, n, 'Hello', 'test'
      from generate_series(1, $4::int) n`,
    [orgId, call, account, lines],
  );
  await app.owner.query('analyze attendances, transcript_lines');
  record.isOn = true;
  const read = await ada.call(getTranscript, { params: { id: callId.parse(call) } });
  expect(read.lines).toHaveLength(lines);
  record.isOn = false;
  const sent = [...record.sent.values()].filter(({ text }) => text.includes('transcript_lines'));
  record.sent.clear();
  expect(sent.length).toBeGreaterThan(0);
  for (const one of sent) {
    expect([one.text, (await rowsReadBy(one, /^attendances$/)) <= 2 * lines]).toEqual([
      one.text,
      true,
    ]);
  }
}, 60_000);

test('R24-B2, R24-B3: a call that thousands of guests rated and answered in is read by pages', async () => {
  const { orgId } = ada.user;
  const call = await idOf(
    'select id from calls where org_id = $1 order by id desc offset 60 limit 1',
  );
  // Without triggers, each of which counts all ratings.
  await app.owner.query('set session_replication_role = replica');
  // A few thousand of another test would make reading the whole table the cheapest plan.
  await app.owner.query('delete from consents');
  await app.owner.query(
    `with guests as (
        insert into attendances (id, org_id, call_id, kind, name, joined_at)
        select gen_random_uuid(), $1, $2, 'guest', 'Someone', now() + n * interval '1 ms'
        from generate_series(1, 5000) n returning id
      ), rated as (
        insert into ratings (id, org_id, call_id, kind, attendance_id, score)
        select gen_random_uuid(), $1, $2, 'guest', id, 9 from guests
      )
      insert into consents (id, org_id, room_id, call_id, participant_id, participant_kind, name, asked, agreed,
        question, question_version, language, client_id)
      select gen_random_uuid(), $1, c.room_id, $2, g.id, 'guest', 'Someone', '{recording}', '{}', '', 1, 'en', '1'
      from guests g, calls c where c.id = $2`,
    [orgId, call],
  );
  await app.owner.query('set session_replication_role = origin');
  await app.owner.query('analyze attendances, ratings, consents');
  const params = { id: callId.parse(call) };
  record.isOn = true;
  const { attendances, ratings } = await ada.call(readCall, { params });
  const receipts = await ada.call(listConsents, { params, query: '?limit=50' });
  record.isOn = false;
  expect([attendances.length, ratings.length, receipts.length]).toEqual([1000, 200, 50]);
  const most: [RegExp, RegExp, number][] = [
    [/"ratedAt"/, /^(ratings|attendances)$/, 500],
    [/left\(c.notes_snapshot|c.notes_snapshot as/, /^ratings$/, 10],
    [/"joinedAt"/, /^attendances$/, 1_000],
    [/"questionVersion"/, /^(consents|attendances)$/, 200],
  ];
  for (const [statement, tables, rows] of most) {
    const sent = [...record.sent.values()].find(({ text }) => statement.test(text));
    if (!sent) throw new Error(`no statement has ${statement}`);
    const read = await rowsReadBy(sent, tables);
    expect([sent.text, read <= rows ? 'few' : read]).toEqual([sent.text, 'few']);
  }
  record.sent.clear();
}, 60_000);
