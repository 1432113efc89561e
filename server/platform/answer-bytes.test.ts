import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { DomainError } from '#domain/errors.ts';
import { orgId } from '#domain/ids.ts';
import { createScimToken } from '#domain/scim/contract.ts';
import { buildApp } from '#server/app.ts';
import { Directory } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { tenantOf } from './access.ts';

// 256 KB at once, and 256 KB a second.
const scale = 0.0625;
const rate = 4 * 1024 * 1024 * scale;

let app: TestApp;
/** The same with the rate above, which applies to reading only. */
let slow: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  const config = { ...app.services.config, RATE_LIMIT_SCALE: scale };
  slow = { ...app, http: await buildApp({ ...app.services, config }, { pagesDir: null }) };
});
afterAll(async () => {
  await slow.http.close();
  await app.close();
});

/** The person's browser, at the slow server. */
const slowly = ({ cookie }: Visitor) => Object.assign(new Visitor(slow), { cookie });

/** The path of a call whose answer has 160 KB. */
async function longCall(ada: Awaited<ReturnType<typeof newOrganization>>): Promise<string> {
  const { call } = await runningCall(ada);
  const body = { notesSnapshot: '"'.repeat(80_000) };
  await ada.call(updateCall, { params: { id: call.id }, body });
  return `/api/calls/${call.id}`;
}

interface Answered {
  status: number;
  headers: Record<string, unknown>;
}

/**
 * All are answered, and not faster than the rate, whatever the speed of the machine. Requests are so few that their
 * own rate makes none wait.
 * @param made the bytes of an answer that is made and not sent
 */
async function expectPaced(
  [first, ...others]: (() => Promise<Answered>)[],
  expected = 200,
  made?: number,
): Promise<void> {
  const from = performance.now();
  // It shows that answers of this path are long, and the others wait from their beginning.
  const known = await first?.();
  const answers = await Promise.all(others.map((ask) => ask()));
  const seconds = (performance.now() - from) / 1000;
  expect(new Set([known, ...answers].map((one) => one?.status))).toEqual(new Set([expected]));
  const bytes = answers.reduce(
    (sum, { headers }) => sum + (made ?? Number(headers['content-length'])),
    0,
  );
  expect(bytes).toBeGreaterThan(2 * rate);
  expect(bytes).toBeLessThan(rate * (1 + seconds));
}

const times = <T>(count: number, ask: () => T) => Array.from({ length: count }, ask);

test('R5-4, R6-5: long answers that an account asks for together are made at a bounded rate', async () => {
  const ada = await newOrganization(app);
  const path = await longCall(ada);
  await expectPaced(times(5, () => () => slowly(ada).send('GET', path)));
});

test('R19-51: answers that are only compared with an entity tag count as if they were sent', async () => {
  const ada = await newOrganization(app);
  const path = await longCall(ada);
  const reading = slowly(ada);
  const { headers } = await ada.send('GET', path);
  const made = Number(headers['content-length']);
  const known = { 'if-none-match': '*' };
  await expectPaced(
    times(5, () => () => reading.send('GET', path, undefined, known)),
    304,
    made,
  );
  const wrong = { 'if-match': '"other"' };
  await expectPaced(
    times(5, () => () => reading.send('PUT', path, {}, wrong)),
    412,
    made,
  );
});

test('R7-3: the accounts of an organization share its rate', async () => {
  const ada = await newOrganization(app);
  const path = await longCall(ada);
  const members = [ada, await newMember(app, ada, 'AGENT'), await newMember(app, ada, 'VIEWER')];
  await expectPaced(
    members.flatMap((member) => times(2, () => () => slowly(member).send('GET', path))),
  );
});

test('R7-2: the SCIM tokens of an organization share its rate', async () => {
  const ada = await newOrganization(app);
  const directory = await Directory.of(app, ada);
  const created = await ada.call(createScimToken, { body: { name: 'Other', expiresInDays: null } });
  const tokens = [directory.token, created.token].map((token) => new Directory(slow, token));
  const phoneNumbers = times(50, () => ({ value: crypto.randomUUID().padEnd(900, '0') }));
  for (const name of ['long', 'longer', 'longest'])
    await directory.ask('POST', '/Users', {
      userName: `${name}@directory.example`,
      name: { familyName: 'Long' },
      phoneNumbers,
    });
  await expectPaced(tokens.flatMap((token) => times(3, () => () => token.ask('GET', '/Users'))));
});

test('a request that must wait after all gives its connection back first', async () => {
  const { user } = await newOrganization(app);
  const actor = { kind: 'system' as const, name: 'test', orgId: orgId.parse(user.orgId) };
  const steps: string[] = [];
  let isLong = true;
  const tenant = tenantOf(app.services.database, actor, null, null, {
    wait: async () => {
      steps.push('wait');
      isLong = steps.length < 2;
    },
    mustWait: () => isLong,
    worked: () => undefined,
  });
  await tenant.connection(async () => steps.push('use'));
  expect(steps).toEqual(['wait', 'wait', 'use']);
  isLong = true;
  steps.length = 0;
  await tenant.transaction(async () => steps.push('use'));
  expect(steps).toEqual(['wait', 'wait', 'use']);
});

test('R6-5: a request whose change was saved is answered, whatever is answered meanwhile', async () => {
  const { user } = await newOrganization(app);
  const actor = { kind: 'system' as const, name: 'test', orgId: orgId.parse(user.orgId) };
  let isRefused = false;
  const tenant = tenantOf(app.services.database, actor, null, null, {
    wait: async () => {
      if (isRefused) throw new DomainError('too_many', 'too_many_waiting', 'Wait.');
    },
    mustWait: () => isRefused,
    worked: () => undefined,
  });
  const change = () => tenant.transaction(async () => 'saved');
  isRefused = true;
  await expect(tenant.connection(async () => 'read')).rejects.toThrow('Wait.');
  await expect(change()).rejects.toThrow('Wait.');
  isRefused = false;
  expect(await change()).toBe('saved');
  isRefused = true;
  expect(await tenant.connection(async () => 'read')).toBe('read');
});
