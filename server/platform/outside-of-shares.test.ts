import { randomBytes, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { openTestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';
import { nameNetworks, outsideTurns } from './outside-turns.ts';
import { mostLookUps } from './pool-sizes.ts';

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

test('R22-2: all accounts together leave connections to others for work outside of organizations', async () => {
  const app = await openTestApp();
  const held = Promise.withResolvers<void>();
  try {
    const { database } = app.services;
    let running = 0;
    const hold = async () => {
      running += 1;
      await held.promise;
    };
    const accounts = Array.from({ length: 10 }, () => randomUUID());
    const waiting = [...accounts, ...accounts].map((actorKey) =>
      database.transaction('outside', hold, { actorKey }),
    );
    // Of ten.
    await expect.poll(() => running).toBe(3);
    const { rows } = await database.connection('outside', ({ query }) => query('select 1', []));
    expect(rows).toHaveLength(1);
    expect(running).toBe(3);
    held.resolve();
    await Promise.all(waiting);
    expect(running).toBe(20);
  } finally {
    held.resolve();
    await app.close();
  }
});

test('R22-2: networks whose changes wait for locks come after the others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { inTurn } = outsideTurns(20);
  const http = Fastify();
  nameNetworks(http);
  const begun: string[] = [];
  let held = Promise.withResolvers<void>();
  http.get('/:who', (request) =>
    inTurn('change', async () => {
      begun.push(request.ip);
      await held.promise;
      return 'done';
    }),
  );
  const ask = (remoteAddress: string) => http.inject({ url: '/who', remoteAddress });
  const [slow, slower, quick] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
  try {
    const first = [slow, slow, slower, slower].map(ask);
    await vi.waitUntil(() => begun.length === 4);
    await vi.advanceTimersByTimeAsync(1_000);
    held.resolve();
    await Promise.all(first);
    held = Promise.withResolvers();
    begun.length = 0;
    const again = [slow, slow, slower, slower, quick, quick].map(ask);
    await vi.waitUntil(() => begun.length === 3);
    expect(begun.filter((who) => who === quick)).toHaveLength(2);
    held.resolve();
    await Promise.all(again);
  } finally {
    vi.useRealTimers();
    await http.close();
  }
});

test('R22-6: sessions are looked up in turns of the networks, and strangers’ cookies keep none waiting', async () => {
  const app = await openTestApp();
  try {
    const answered: string[] = [];
    const guess = async (remoteAddress: string) => {
      const cookie = `rapport_session=${randomBytes(32).toString('base64url')}`;
      const from = { url: '/api/rooms', headers: { cookie }, remoteAddress };
      expect((await app.http.inject(from)).statusCode).toBe(401);
      answered.push(remoteAddress);
    };
    const asked = vi.spyOn(app.services.database, 'lookUp');
    await app.owner.query('begin; lock table sessions in access exclusive mode');
    const guesses = Array.from({ length: 40 }, (_, n) => guess(`192.0.2.${n % 2}`));
    await expect.poll(() => lockWaiters(app)).toBe(mostLookUps);
    const another = guess('198.51.100.1');
    await expect.poll(() => asked.mock.calls.length).toBe(41);
    await app.owner.query('commit');
    await Promise.all([...guesses, another]);
    expect(answered.indexOf('198.51.100.1')).toBeLessThan(12);
  } finally {
    await app.close();
  }
});
