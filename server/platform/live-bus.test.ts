import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Participant, participant } from '#domain/calls/participant.ts';
import { inProcessBus, type LiveBus } from './live-bus.ts';
import { openLog } from './log.ts';
import { redisBus } from './redis-bus.ts';

const redisServer = '/usr/bin/redis-server';
const folder = mkdtempSync(join(tmpdir(), 'rapport-redis-'));
let redis: ChildProcess | undefined;
let url = '';

beforeAll(async () => {
  if (!existsSync(redisServer)) return;
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  redis = spawn(redisServer, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve) => {
    redis?.stdout?.on('data', (text) => String(text).includes('Ready to accept') && resolve());
  });
  url = `redis://127.0.0.1:${port}`;
});
afterAll(() => {
  redis?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const somebody = (id: string): Participant => ({
  id,
  kind: 'staff',
  name: id,
  avatar: null,
  media: { audio: true, video: false },
  inMeeting: true,
  connected: true,
});

/** Two ends of one bus: the same object in one process, or two connections over Redis. */
const kinds: [string, () => Promise<[LiveBus, LiveBus]>][] = [
  [
    'in process',
    async () => {
      const bus = inProcessBus();
      return [bus, bus];
    },
  ],
  ['Redis', async () => [await redisBus(url, log), await redisBus(url, log)]],
];
const log = openLog('silent', null);

describe.each(kinds)('the live bus, %s', (kind, open) => {
  test.skipIf(kind === 'Redis' && !existsSync(redisServer))(
    'delivers messages in order to subscribers, and none after they stop',
    async () => {
      const [near, far] = await open();
      const heard: unknown[] = [];
      const { ready, stop } = far.subscribe('room:1', (message) => heard.push(message));
      await far.subscribe('room:2', () => heard.push('another room')).ready;
      await ready;
      for (const n of [1, 2, 3]) near.publish('room:1', { n });
      await expect
        .poll(() => heard.filter((m) => typeof m === 'object'))
        .toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      stop();
      heard.length = 0;
      near.publish('room:1', 'gone');
      near.publish('room:2', {});
      await expect.poll(() => heard).toEqual(['another room']);
      await Promise.all([near.close(), far.close()]);
    },
  );

  test.skipIf(kind === 'Redis' && !existsSync(redisServer))(
    'lists the participants of a room, and drops those who left',
    async () => {
      const [near, far] = await open();
      const room = `room-${kind}`;
      expect(await near.presence.put(room, somebody('ada'))).toEqual([]);
      expect(await far.presence.put(room, somebody('ben'))).toEqual([somebody('ada')]);
      await near.presence.remove(room, 'ada');
      expect(await far.presence.put(room, somebody('ben'))).toEqual([]);
      await Promise.all([near.close(), far.close()]);
    },
  );

  test.skipIf(kind === 'Redis' && !existsSync(redisServer))(
    'R20-55: renews many participants of several rooms at once, without reading the others',
    async () => {
      const [near, far] = await open();
      const at = (roomId: string, id: string) => ({ roomId, participant: somebody(id) });
      const given = [at(`one-${kind}`, 'ada'), at(`one-${kind}`, 'ben'), at(`two-${kind}`, 'cleo')];
      expect(await near.presence.keep(given)).toBeUndefined();
      await near.presence.keep([]);
      const names = async (room: string) => (await far.presence.list(room)).map(({ id }) => id);
      expect((await names(`one-${kind}`)).sort()).toEqual(['ada', 'ben']);
      expect(await names(`two-${kind}`)).toEqual(['cleo']);
      await Promise.all([near.close(), far.close()]);
    },
  );
});

test.skipIf(!existsSync(redisServer))(
  'R21-72: entries of Redis that have not changed are not parsed again',
  async () => {
    const bus = await redisBus(url, log);
    for (const id of ['ada', 'ben', 'cleo']) await bus.presence.put('many', somebody(id));
    const first = await bus.presence.list('many');
    const parse = vi.spyOn(participant, 'safeParse');
    expect(await bus.presence.list('many')).toEqual(first);
    expect(parse).not.toHaveBeenCalled();
    await bus.presence.put('many', { ...somebody('ben'), name: 'Benjamin' });
    const names = (await bus.presence.list('many')).map(({ name }) => name).sort();
    expect(names).toEqual(['Benjamin', 'ada', 'cleo']);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
    await bus.close();
  },
);
