import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { openTestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';
import { nameNetworks, outsideTurns } from './outside-turns.ts';

const nothing = { name: 'test_nothing', text: 'select 1' };

test('R21-2: what accounts ask about themselves takes their organization’s turns', async () => {
  const app = await openTestApp({ RATE_LIMIT_SCALE: '0.2' });
  try {
    const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
    const answered: string[] = [];
    const ask = async (visitor: typeof ada, name: string) => {
      expect((await visitor.send('GET', '/api/user/sessions')).status).toBe(200);
      answered.push(name);
    };
    const adas = Array.from({ length: 60 }, () => ask(ada, 'ada'));
    await ask(ben, 'ben');
    expect(answered.length).toBeLessThan(45);
    await Promise.all(adas);
  } finally {
    await app.close();
  }
});

test('R21-5: strangers who look for logos, or whether the server is ready, take few connections', async () => {
  const app = await openTestApp();
  try {
    const { database } = app.services;
    const connection = database.connection.bind(database);
    let atOnce = 0;
    let most = 0;
    vi.spyOn(database, 'connection').mockImplementation(async (...given) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      try {
        return await connection(...given);
      } finally {
        atOnce -= 1;
      }
    });
    const get = async (url: string, remoteAddress: string) =>
      (await app.http.inject({ url, remoteAddress })).statusCode;
    const strangers = Array.from({ length: 40 }, (_, n) => `192.0.2.${n}`);
    const logos = strangers.map((ip) => get(`/logos/${randomUUID()}.png`, ip));
    expect(new Set(await Promise.all(logos))).toEqual(new Set([404]));
    expect(most).toBe(2);
    most = 0;
    const looks = strangers.map((ip) => get('/readyz', ip));
    expect(new Set(await Promise.all(looks))).toEqual(new Set([200]));
    expect(most).toBe(1);
  } finally {
    await app.close();
  }
});

test('R21-78: what strangers ask outside of the organizations leaves connections to others', async () => {
  const app = await openTestApp();
  try {
    const ada = await newOrganization(app);
    const { database } = app.services;
    const ask = (n: number, remoteAddress: string) => {
      const payload = { email: `nobody.${n}@example.com` };
      return app.http.inject({
        method: 'POST',
        url: '/api/forgot-password',
        payload,
        remoteAddress,
      });
    };
    await app.owner.query('begin; lock table accounts in access exclusive mode');
    try {
      // Of the ten connections of a test.
      for (let n = 0; n < 30; n += 1) await ask(n, '192.0.2.1');
      await expect.poll(() => lockWaiters(app)).toBe(1);
      for (let n = 0; n < 30; n += 1) await ask(n, `198.51.100.${n}`);
      await expect.poll(() => lockWaiters(app)).toBe(2);
      const { orgId } = ada.user;
      if (!orgId) throw new Error('she has an organization');
      // Reads of strangers do not wait for transactions.
      const followed = app.http.inject({ url: '/readyz', remoteAddress: '192.0.2.1' });
      expect((await followed).statusCode).toBe(200);
      // Neither the server's own statements nor those of an organization wait.
      for (const tenant of ['outside', orgId] as const) {
        expect(await database.connection(tenant, ({ run }) => run(nothing, []))).toHaveLength(1);
      }
      expect(await lockWaiters(app)).toBe(2);
    } finally {
      await app.owner.query('commit');
    }
    await expect.poll(() => lockWaiters(app)).toBe(0);
  } finally {
    await app.close();
  }
});

test('R21-78: what a request asks while it holds a connection waits for no turn', async () => {
  const { inTurn, holding } = outsideTurns(20);
  const http = Fastify();
  nameNetworks(http);
  let inside = 0;
  const all = Promise.withResolvers<void>();
  http.get('/', async () => {
    const nested = holding(async () => {
      inside += 1;
      if (inside === 2) all.resolve();
      await all.promise;
      return inTurn('read', async () => 'nested');
    });
    return inTurn('read', () => nested(null));
  });
  const answers = await Promise.all([1, 2, 3].map(() => http.inject('/')));
  expect(answers.map(({ body }) => body)).toEqual(['nested', 'nested', 'nested']);
  await http.close();
});
