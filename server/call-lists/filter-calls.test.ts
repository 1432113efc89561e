import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countCalls,
  type ListedCall,
  readCallChoices,
  startCall,
  updateCall,
} from '#domain/calls/contract.ts';
import { callId } from '#domain/ids.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import { newId } from '#server/platform/ids.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: Awaited<ReturnType<typeof newMember>>;
/** By name: the ids of rooms, playbooks, and calls. */
const ids: Record<string, string> = {};

interface Past {
  name: string;
  day: string;
  room: 'acme' | 'globex';
  agent: 'ada' | 'ben';
  playbook?: true;
  seconds: number;
  score?: number;
  joined?: 'staff' | 'guest';
}
const history: Past[] = [
  { name: 'a', day: '2026-01-01', room: 'acme', agent: 'ada', seconds: 60, score: 10 },
  { name: 'b', day: '2026-01-01', room: 'globex', agent: 'ben', seconds: 600, score: 3 },
  { name: 'c', day: '2026-01-31', room: 'acme', agent: 'ben', playbook: true, seconds: 300 },
  {
    name: 'd',
    day: '2026-02-01',
    room: 'acme',
    agent: 'ada',
    playbook: true,
    seconds: 30,
    score: 7,
  },
  {
    name: 'e',
    day: '2026-02-02',
    room: 'globex',
    agent: 'ada',
    seconds: 900,
    score: 0,
    joined: 'staff',
  },
  {
    name: 'f',
    day: '2026-02-03',
    room: 'globex',
    agent: 'ada',
    seconds: 120,
    score: 9,
    joined: 'guest',
  },
];

async function insertPast({ name, day, room, agent, playbook, seconds, score, joined }: Past) {
  const by = agent === 'ada' ? ada.user.id : ben.user.id;
  const { rows } = await app.owner.query<{ id: string }>(
    `insert into calls (id, org_id, room_id, playbook_id, started_by, started_at)
      values ($6, $1, $2, $3, $4, $5) returning id`,
    [
      ada.user.orgId,
      ids[room],
      playbook ? ids.playbook : null,
      by,
      `${day}T12:00:00Z`,
      newId(callId),
    ],
  );
  const id = rows[0]?.id ?? '';
  ids[name] = id;
  if (joined)
    await app.owner.query(
      `insert into attendances (id, org_id, call_id, kind, name)
        values (gen_random_uuid(), $1, $2, $3, 'Someone')`,
      [ada.user.orgId, id, joined],
    );
  await app.owner.query(
    `update calls set ended_at = started_at + $2::int * interval '1 second', duration_sec = $2::int where id = $1`,
    [id, seconds],
  );
  if (score !== undefined)
    await app.owner.query(
      `insert into ratings (id, org_id, call_id, kind, account_id, score)
        values (gen_random_uuid(), $1, $2, 'staff', $3, $4)`,
      [ada.user.orgId, id, by, score],
    );
}

beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  ben = await newMember(app, ada, 'AGENT');
  const playbook = await ada.call(createPlaybook, {
    body: { title: 'Onboarding', checklistItems: [{ text: 'x' }] },
  });
  Object.assign(ids, { ada: ada.user.id, ben: ben.user.id, playbook: playbook.id });
  ids.acme = (await ada.call(createRoom, { body: { topic: 'Acme Review' } })).id;
  ids.globex = (await ada.call(createRoom, { body: { topic: 'Globex 100%' } })).id;
  for (const past of history) await insertPast(past);
});
afterAll(() => app.close());

/** The names of the calls that a list shows, over all its pages. */
async function listed(query: string, limit = 2): Promise<string> {
  const names = new Map(history.map(({ name }) => [ids[name], name]));
  let shown = '';
  let path: string | undefined = `/api/calls?limit=${limit}&${query}`;
  while (path !== undefined) {
    const { status, body, headers } = await ada.send('GET', path);
    expect([path, status]).toEqual([path, 200]);
    shown += (body as ListedCall[]).map(({ id }) => names.get(id) ?? '?').join('');
    path = /^<(.+)>; rel="next"$/.exec(String(headers.link))?.[1];
  }
  return shown;
}
const named = (query: string) => query.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? name);

const cases = [
  ['sort=newest', 'fedcba'],
  ['sort=oldest', 'abcdef'],
  ['sort=longest', 'ebcfad'],
  ['sort=shortest', 'dafcbe'],
  ['sort=highest', 'afdb'],
  ['sort=lowest', 'bdfa'],
  ['from=2026-01-31&to=2026-02-02', 'edc'],
  ['from=2026-02-02', 'fe'],
  ['to=2026-01-01', 'ba'],
  ['from=2026-03-01&to=2026-02-01', ''],
  ['agentId={ada}', 'feda'],
  ['agentId={ada}&roomId={acme}', 'da'],
  ['playbookId={playbook}', 'dc'],
  ['playbookId={playbook}&agentId={ada}&roomId={acme}', 'd'],
  ['playbookId={playbook}&roomId={globex}', ''],
  ['roomId={acme}&sort=longest', 'cad'],
  ['score=promoters', 'fa'],
  ['score=passives', 'd'],
  ['score=detractors', 'b'],
  ['score=none', 'ec'],
  ['score=promoters&agentId={ada}&from=2026-01-02&sort=shortest', 'f'],
  ['guests=with', 'fdcba'],
  ['guests=without', 'e'],
  ['guests=without&score=none', 'e'],
  ['guests=with&score=none', 'c'],
  ['guests=without&score=detractors', ''],
  ['guests=with&sort=lowest', 'bdfa'],
  ['search=acme', 'dca'],
  ['search=100%25', 'feb'],
  ['search=_', ''],
  ['search=acme&agentId={ben}', 'c'],
  ['search=acme&roomId={globex}', ''],
  ['search=acme&from=2026-02-01&sort=oldest', 'd'],
];

test.each(cases)(
  'calls filtered by %s are %j, over any pages, and counted',
  async (query, names) => {
    const filter = named(query);
    expect([await listed(filter), await listed(filter, 200)]).toEqual([names, names]);
    expect(await ada.call(countCalls, { query: `?${filter}` })).toEqual({
      total: names.length,
      isExact: true,
    });
  },
);

test('a running call is listed at its day, unless the list is of completed calls', async () => {
  const eve = await newOrganization(app);
  const { call } = await runningCall(eve);
  const today = new Date().toISOString().slice(0, 10);
  const count = async (query: string) => {
    const { body } = await eve.send('GET', `/api/calls?${query}`);
    const { total } = await eve.call(countCalls, { query: `?${query}` });
    expect((body as ListedCall[]).length).toBe(total);
    return total;
  };
  expect(await count(`agentId=${eve.user.id}&from=${today}`)).toBe(1);
  expect(await count(`roomId=${call.roomId}&sort=oldest`)).toBe(1);
  expect(await count('to=2026-01-01')).toBe(0);
  expect(await count('sort=longest')).toBe(0);
  expect(await count('guests=with')).toBe(0);
});

test('another organization’s ids find nothing', async () => {
  const eve = await newOrganization(app);
  await runningCall(eve);
  for (const query of [
    `roomId=${ids.acme}`,
    `playbookId=${ids.playbook}`,
    `agentId=${ada.user.id}`,
  ]) {
    expect((await eve.send('GET', `/api/calls?sort=newest&${query}`)).body).toEqual([]);
    expect(await eve.call(countCalls, { query: `?${query}` })).toMatchObject({ total: 0 });
  }
});

test.each([
  'from=yesterday',
  'from=2026-02-30',
  'to=99999-01-01',
  'score=good',
  'sort=random',
  'roomId=acme',
])('%s is refused as invalid', async (query) => {
  for (const path of ['/api/calls', '/api/call-count'])
    expect((await ada.send('GET', `${path}?${query}`)).status).toBe(400);
});

test('a cursor that does not fit its order starts from the beginning', async () => {
  const wrong = `before=${ids.c}&beforeKey=12`;
  expect((await ada.send('GET', `/api/calls?sort=newest&${wrong}`)).body).toHaveLength(6);
});

test.each(['0000-01-01', '2026-02-30', '99999-01-01', 'newest'])(
  'R19-9: a cursor with the day %s is refused',
  async (key) => {
    for (const sort of ['newest', 'oldest', 'longest']) {
      const path = `/api/calls?sort=${sort}&before=${ids.c}&beforeKey=${key}`;
      expect((await ada.send('GET', path)).status).toBe(400);
    }
  },
);

test('a call names who started it', async () => {
  const { body } = await ada.send('GET', `/api/calls?agentId=${ben.user.id}`);
  const { firstName, lastName } = ben.user;
  expect((body as ListedCall[]).map(({ agent }) => agent)).toEqual(
    ['', ''].map(() => ({ id: ben.user.id, name: `${firstName} ${lastName}` })),
  );
});

test('the choices have every room, playbook, and agent of the organization by name', async () => {
  const { rooms, playbooks, agents } = await ada.call(readCallChoices);
  expect(rooms.map(({ name }) => name)).toEqual(['Acme Review', 'Globex 100%']);
  expect(playbooks).toEqual([{ id: ids.playbook, name: 'Onboarding' }]);
  expect(agents.map(({ id }) => id).sort()).toEqual([ada.user.id, ben.user.id].sort());
});

test('a removed member stays among the agents while calls name them', async () => {
  const ida = await newOrganization(app);
  const [joe, zoe] = [await newMember(app, ida, 'AGENT'), await newMember(app, ida, 'AGENT')];
  await runningCall(ida);
  const room = await joe.call(createRoom, { body: { topic: 'Joe’s' } });
  const { id } = await joe.call(startCall, { body: { roomId: room.id } });
  await joe.call(updateCall, { params: { id }, body: { endForEveryone: true } });
  for (const { user } of [joe, zoe]) await ida.call(removeUser, { params: { id: user.id } });
  const { agents } = await ida.call(readCallChoices);
  expect(agents.map((agent) => agent.id).sort()).toEqual([ida.user.id, joe.user.id].sort());
});
