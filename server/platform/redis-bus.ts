import { type ChainableCommander, Redis } from 'ioredis';
import { type Participant, participant } from '#domain/calls/participant.ts';
import { around, keyOfPage, type LiveBus, type Present, peopleOf } from './live-bus.ts';
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
      async put(page) {
        const key = keyOf(page.roomId);
        const results = await commands
          .multi()
          .hset(key, keyOfPage(page.participant.id, page.channel), entryOf(page))
          .expire(key, roomKeySeconds)
          .hgetall(key)
          .exec();
        return around(pagesIn(results?.[2]?.[1]), page);
      },
      async keep(present) {
        if (present.length === 0) return;
        const pipeline = commands.pipeline();
        for (const [roomId, pages] of Map.groupBy(present, (one) => one.roomId)) {
          const entries = pages.map((page) => [
            keyOfPage(page.participant.id, page.channel),
            entryOf(page),
          ]);
          pipeline.hset(keyOf(roomId), Object.fromEntries(entries));
          pipeline.expire(keyOf(roomId), roomKeySeconds);
        }
        await valuesOf(pipeline);
      },
      async remove(pages) {
        const pipeline = commands.pipeline();
        for (const { roomId, participantId, channel } of pages) {
          pipeline.hdel(keyOf(roomId), keyOfPage(participantId, channel));
        }
        await valuesOf(pipeline);
      },
      async among(pages) {
        const pipeline = commands.pipeline();
        for (const { roomId, participantId, channel } of pages) {
          pipeline.hget(keyOf(roomId), keyOfPage(participantId, channel));
        }
        const texts = await valuesOf(pipeline);
        return pages.filter((_, n) => typeof texts[n] === 'string' && isFresh(entryIn(texts[n])));
      },
      list: async (roomId) => peopleOf(pagesIn(await commands.hgetall(keyOf(roomId)))),
    },
    async close() {
      channels.clear();
      subscriber.disconnect();
      await commands.quit().catch(() => commands.disconnect());
    },
  };
}

const keyOf = (roomId: string) => `presence:${roomId}`;
const entryOf = (page: Present) =>
  JSON.stringify({ at: Date.now(), participant: page.participant });
async function valuesOf(pipeline: ChainableCommander): Promise<unknown[]> {
  const results = (await pipeline.exec()) ?? [];
  return results.map(([error, value]) => {
    if (error) throw error;
    return value;
  });
}

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

const isFresh = ({ at }: Entry) => at >= Date.now() - presenceSeconds * 1000;

function pagesIn(hash: unknown): Pick<Present, 'channel' | 'participant'>[] {
  if (typeof hash !== 'object' || hash === null) return [];
  return Object.entries(hash).flatMap(([field, text]) => {
    const entry = entryIn(String(text));
    const present = entry.participant;
    if (!present || !isFresh(entry)) return [];
    const isPanel = field === keyOfPage(present.id, 'panel');
    return [{ channel: isPanel ? 'panel' : 'meeting', participant: present }];
  });
}
