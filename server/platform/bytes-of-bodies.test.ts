import { randomUUID } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { expect, test } from 'vitest';
import { openTestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

const megabyte = 1024 * 1024;

test('R22-8: who sends much that nobody reads loses the connection, on any route', async () => {
  const app = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const port = Number(new URL(await app.listen()).port);
    /** @returns whether the connection is kept; null where the answer was lost with it */
    const isKept = (path: string, headers: Record<string, string> = {}) =>
      new Promise<boolean | null>((resolve) => {
        const asked = send({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
          answer.resume().once('end', () => resolve(answer.headers.connection !== 'close'));
        });
        asked.once('error', () => resolve(null));
        asked.end('x'.repeat(megabyte));
      });
    const length = { 'content-length': String(megabyte) };
    expect(await isKept('/healthz', length)).toBe(true);
    for (let n = 0; n < 10; n += 1) await isKept('/nothing', length);
    expect(await isKept('/healthz', length)).not.toBe(true);
    // Nobody knows how much that will be.
    expect(await isKept('/healthz', { 'transfer-encoding': 'chunked' })).not.toBe(true);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  } finally {
    agent.destroy();
    await app.close();
  }
});

test('R22-9: the bodies of an organization arrive at the rate of its answers', async () => {
  const app = await openTestApp({ RATE_LIMIT_SCALE: '0.2' });
  try {
    const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
    const body = { notesSnapshot: 'x'.repeat(1.5 * megabyte) };
    const answered: string[] = [];
    const put = async (name: string, person: typeof ada) => {
      await person.send('PUT', `/api/calls/${randomUUID()}`, body);
      answered.push(name);
    };
    // Each costs as much as arrives in a second, so the last one waits; another organization's does not.
    await Promise.all([put('Ada', ada), put('Ada', ada), put('Ada', ada), put('Ben', ben)]);
    expect(answered).toHaveLength(4);
    expect(answered.at(-1)).toBe('Ada');
  } finally {
    await app.close();
  }
});
