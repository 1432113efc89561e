import { Redis } from 'ioredis';
import { type Participant, participant } from '#domain/calls/participant.ts';
import type { LiveBus } from './live-bus.ts';
import type { Logger } from './log.ts';

/** A participant whose process has not renewed the entry for this long counts as gone. */
const presenceSeconds = 45;
/** An empty room's key expires. */
const roomKeySeconds = 3600;

interface Channel {
  listeners: Set<(message: unknown) => void>;
  /** Resolves once Redis has confirmed the subscription. */
  ready: Promise<void>;
}

/**
 * Returns the bus for several processes: Redis publishes events, and stores the participants of
 * each room. Events published while Redis is unavailable are lost, as on a lost connection. Pages
 * catch up by resuming.
 * @throws when Redis cannot be reached at the start
 */
export async function redisBus(url: string, log: Logger): Promise<LiveBus> {
  const options = { lazyConnect: true, maxRetriesPerRequest: 2 };
  const commands = new Redis(url, options);
  const subscriber = new Redis(url, options);
  for (const client of [commands, subscriber]) {
    client.on('error', (error) => log.warn({ err: error }, 'Redis does not answer'));
  }
  await Promise.all([commands.connect(), subscriber.connect()]);

  const channels = new Map<string, Channel>();
  subscriber.on('message', (channel: string, text: string) => {
    const message: unknown = JSON.parse(text);
    for (const listen of [...(channels.get(channel)?.listeners ?? [])]) listen(message);
  });
  const failed = (error: unknown) => log.warn({ err: error }, 'a live event was lost');

  return {
    publish: (channel, message) => {
      commands.publish(channel, JSON.stringify(message)).catch(failed);
    },
    subscribe(name, listen) {
      const channel = channels.get(name) ?? {
        listeners: new Set(),
        ready: subscriber.subscribe(name).then(() => undefined, failed),
      };
      channels.set(name, channel);
      channel.listeners.add(listen);
      return {
        ready: channel.ready,
        stop: () => {
          channel.listeners.delete(listen);
          if (channel.listeners.size > 0 || channels.get(name) !== channel) return;
          channels.delete(name);
          subscriber.unsubscribe(name).catch(failed);
        },
      };
    },
    presence: {
      async put(roomId, present) {
        const key = keyOf(roomId);
        const results = await commands
          .multi()
          .hset(key, present.id, entryOf(present))
          .expire(key, roomKeySeconds)
          .hgetall(key)
          .exec();
        return others(results?.[2]?.[1], present.id);
      },
      async keep(present) {
        if (present.length === 0) return;
        const pipeline = commands.pipeline();
        for (const [roomId, people] of Map.groupBy(present, (one) => one.roomId)) {
          const entries = people.map((one) => [one.participant.id, entryOf(one.participant)]);
          pipeline.hset(keyOf(roomId), Object.fromEntries(entries));
          pipeline.expire(keyOf(roomId), roomKeySeconds);
        }
        const results = (await pipeline.exec()) ?? [];
        for (const [error] of results) if (error) throw error;
      },
      async remove(roomId, participantId) {
        await commands.hdel(keyOf(roomId), participantId);
      },
      list: async (roomId) => others(await commands.hgetall(keyOf(roomId)), null),
    },
    async close() {
      channels.clear();
      subscriber.disconnect();
      await commands.quit().catch(() => commands.disconnect());
    },
  };
}

const keyOf = (roomId: string) => `presence:${roomId}`;
const entryOf = (present: Participant) => JSON.stringify({ at: Date.now(), participant: present });

interface Entry {
  at: number;
  participant: Participant | null;
}

/**
 * Entries as they were read, oldest first: a room is read again for each person who enters it or waits for it, and most
 * of its entries have not changed.
 */
const known = new Map<string, Entry>();
const mostKnown = 10_000;

function entryIn(text: string): Entry {
  const found = known.get(text);
  if (found) return found;
  const { at, participant: given }: { at: number; participant: unknown } = JSON.parse(text);
  const entry = { at, participant: participant.safeParse(given).data ?? null };
  known.set(text, entry);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  return entry;
}

function others(hash: unknown, self: string | null): Participant[] {
  if (typeof hash !== 'object' || hash === null) return [];
  const oldest = Date.now() - presenceSeconds * 1000;
  return Object.values(hash).flatMap((text) => {
    const { at, participant } = entryIn(String(text));
    return participant && at >= oldest && participant.id !== self ? [participant] : [];
  });
}
