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

const meeting = (roomId: string, id: string) => ({
  roomId,
  channel: 'meeting' as const,
  participant: somebody(id),
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
      expect((await near.presence.put(meeting(room, 'ada'))).others).toEqual([]);
      expect((await far.presence.put(meeting(room, 'ben'))).others).toEqual([somebody('ada')]);
      await near.presence.remove([{ roomId: room, channel: 'meeting', participantId: 'ada' }]);
      expect((await far.presence.put(meeting(room, 'ben'))).others).toEqual([]);
      await Promise.all([near.close(), far.close()]);
    },
  );

  test.skipIf(kind === 'Redis' && !existsSync(redisServer))(
    'shows who has both pages as the meeting page tells, until it has left',
    async () => {
      const [near, far] = await open();
      const room = `pages-${kind}`;
      const page = meeting(room, 'ada');
      const panel = {
        ...page,
        channel: 'panel' as const,
        participant: { ...somebody('ada'), inMeeting: false },
      };
      const inMeeting = async () => (await far.presence.list(room)).map((one) => one.inMeeting);
      expect(await near.presence.put(panel)).toEqual({ others: [], hasOtherPage: false });
      expect(await inMeeting()).toEqual([false]);
      expect(await far.presence.put(page)).toEqual({ others: [], hasOtherPage: true });
      await near.presence.keep([panel]);
      expect(await inMeeting()).toEqual([true]);
      const given = { roomId: room, participantId: 'ada' };
      const both = [
        { ...given, channel: 'meeting' as const },
        { ...given, channel: 'panel' as const },
      ];
      expect(await near.presence.among(both)).toEqual(both);
      await far.presence.remove(both.slice(0, 1));
      expect(await near.presence.among(both)).toEqual(both.slice(1));
      expect(await inMeeting()).toEqual([false]);
      await Promise.all([near.close(), far.close()]);
    },
  );

  test.skipIf(kind === 'Redis' && !existsSync(redisServer))(
    'R20-55: renews many participants of several rooms at once, without reading the others',
    async () => {
      const [near, far] = await open();
      const given = [meeting(`one-${kind}`, 'ada'), meeting(`one-${kind}`, 'ben')];
      given.push(meeting(`two-${kind}`, 'cleo'));
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
    for (const id of ['ada', 'ben', 'cleo']) await bus.presence.put(meeting('many', id));
    const first = await bus.presence.list('many');
    const parse = vi.spyOn(participant, 'safeParse');
    expect(await bus.presence.list('many')).toEqual(first);
    expect(parse).not.toHaveBeenCalled();
    const renamed = { ...somebody('ben'), name: 'Benjamin' };
    await bus.presence.put({ ...meeting('many', 'ben'), participant: renamed });
    const names = (await bus.presence.list('many')).map(({ name }) => name).sort();
    expect(names).toEqual(['Benjamin', 'ada', 'cleo']);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
    await bus.close();
  },
);
