import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { openTestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

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
