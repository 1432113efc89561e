import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allContracts, ofTenants } from '#server/testing/contracts.ts';
import { newActionItem } from '#server/testing/furnish.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { requestOf, unknownThings } from '#server/testing/requests.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

/**
 * Runs the application without its own tenant filter: every comparison of an organization's id in
 * its SQL is replaced by a true one. Only row-level security still separates the tenants.
 */
const ownFilter = /(?:"?\b\w+"?\.)?"?\borg_id"? = (\$\d+)(?!::)/g;
let removed = 0;
let isOn = false;
const genuine = pg.Client.prototype.query;

function withoutFilter(text: string): string {
  return text.replace(ownFilter, (_, value: string) => {
    removed += 1;
    return `(${value}::uuid is not null)`;
  });
}

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: typeof ada;
let bens: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  // Patched before the first connection, which keeps the function that it finds.
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    if (isOn && typeof first === 'string') args[0] = withoutFilter(first);
    else if (isOn && first && typeof first === 'object' && 'text' in first) {
      // Prepared under another name, because the connection may have the filtered statement under
      // its own.
      const name = 'name' in first && first.name ? { name: `open_${first.name}` } : {};
      args[0] = { ...first, ...name, text: withoutFilter(String(first.text)) };
    }
    return Reflect.apply(genuine, this, args);
  } as typeof genuine;
  app = await openTestApp();
  ada = await newOrganization(app);
  ben = await newOrganization(app);
  await runningCall(ada);
  bens = await runningCall(ben);
});
afterAll(async () => {
  pg.Client.prototype.query = genuine;
  await app.close();
});

const contracts = ofTenants(await allContracts());
const reads = contracts.filter(({ method }) => method === 'GET');

test('with the application’s filter removed, another organization’s rows stay invisible', async () => {
  const foreign = {
    ...unknownThings,
    rooms: bens.room.id,
    calls: bens.call.id,
    playbooks: bens.playbook.id,
    'action-items': await newActionItem(ben, bens.call.id),
  };
  const secrets = [bens.room.id, bens.call.id, bens.playbook.id, ben.user.id, ben.user.email];
  isOn = true;
  try {
    for (const contract of reads) {
      const { url } = requestOf(contract, foreign);
      const reply = await ada.send('GET', url);
      const text = JSON.stringify(reply.body);
      for (const secret of secrets) expect([url, text.includes(secret)]).toEqual([url, false]);
      // Either a list of the own organization, or an unknown id.
      expect([url, [200, 404].includes(reply.status)]).toEqual([url, true]);
    }
  } finally {
    isOn = false;
  }
  expect(removed).toBeGreaterThan(20);
});

test('with the application’s filter removed, nothing of another organization can be changed', async () => {
  const stored = async () =>
    (
      await app.owner.query(
        `select (select json_agg(r order by r.id) from rooms r where r.org_id = $1) as rooms,
          (select json_agg(c order by c.id) from calls c where c.org_id = $1) as calls,
          (select json_agg(p order by p.id) from playbooks p where p.org_id = $1) as playbooks`,
        [ben.user.orgId],
      )
    ).rows;
  const before = JSON.stringify(await stored());
  isOn = true;
  try {
    const writes: ['PATCH' | 'PUT', string, object][] = [
      ['PATCH', `/api/rooms/${bens.room.id}`, { topic: 'taken' }],
      ['PUT', `/api/calls/${bens.call.id}`, { npsScore: 0, endForEveryone: true }],
      [
        'PUT',
        `/api/playbooks/${bens.playbook.id}`,
        { title: 'taken', checklistItems: [{ text: 'x' }], version: 1 },
      ],
      ['PUT', `/api/rooms/${bens.room.id}/archive`, {}],
    ];
    for (const [method, url, body] of writes) {
      const reply = await ada.send(method, url, body);
      expect([url, reply.status]).toEqual([url, 404]);
    }
  } finally {
    isOn = false;
  }
  expect(JSON.stringify(await stored())).toBe(before);
});

test('with the filter removed, the organization’s own rows are still returned', async () => {
  isOn = true;
  try {
    const { body } = await ben.send('GET', '/api/rooms');
    expect(JSON.stringify(body)).toContain(bens.room.id);
  } finally {
    isOn = false;
  }
});

test('these tests detect when row-level security is off', async () => {
  await app.owner.query('alter table rooms disable row level security');
  isOn = true;
  try {
    const { body } = await ada.send('GET', '/api/rooms');
    expect(JSON.stringify(body)).toContain(bens.room.id);
  } finally {
    isOn = false;
    await app.owner.query('alter table rooms enable row level security');
  }
});
