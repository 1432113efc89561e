import type { Channel, Participant } from '#domain/calls/participant.ts';

/** Delivers a message to every subscribed process. The order of one sender is kept. */
export interface LiveBus {
  /** @param message any JSON value */
  publish(channel: string, message: unknown): void;
  /** Also receives messages that this process publishes. */
  subscribe(channel: string, listen: (message: unknown) => void): Subscription;
  readonly presence: Presence;
  close(): Promise<void>;
}

export interface Subscription {
  /** Resolves once every message that any process publishes is received. */
  readonly ready: Promise<void>;
  stop(): void;
}

/** A page of a participant, of whom the process with the page tells. */
export interface Present {
  roomId: string;
  channel: Channel;
  participant: Participant;
}

export interface PageOf {
  roomId: string;
  channel: Channel;
  participantId: string;
}

/**
 * The participants in each room, over all processes. Someone with both pages, which may be on different processes, is
 * shown as the meeting page tells.
 */
export interface Presence {
  /** Adds or changes one page. Also returns, atomically with it, who else is in the room, and by which pages. */
  put(page: Present): Promise<{ others: Participant[]; hasOtherPage: boolean }>;
  /** Adds, changes, or renews pages, at a cost that grows only with their number. */
  keep(pages: readonly Present[]): Promise<void>;
  remove(pages: readonly PageOf[]): Promise<void>;
  /** Returns those of the pages that are in their rooms. */
  among(pages: readonly PageOf[]): Promise<PageOf[]>;
  list(roomId: string): Promise<Participant[]>;
}

/** Returns each participant of some pages once. */
export function peopleOf(pages: readonly Pick<Present, 'channel' | 'participant'>[]) {
  const people = new Map<string, Participant>();
  for (const { channel, participant } of pages) {
    if (channel === 'meeting' || !people.has(participant.id))
      people.set(participant.id, participant);
  }
  return [...people.values()];
}

/** Returns what `put` does, from all pages of the room. */
export function around(pages: readonly Pick<Present, 'channel' | 'participant'>[], own: Present) {
  const isOwn = ({ participant }: Pick<Present, 'participant'>) =>
    participant.id === own.participant.id;
  const hasOtherPage = pages.some((page) => isOwn(page) && page.channel !== own.channel);
  return { others: peopleOf(pages.filter((page) => !isOwn(page))), hasOtherPage };
}

/** Returns the bus for a single process. */
export function inProcessBus(): LiveBus {
  const listeners = new Map<string, Set<(message: unknown) => void>>();
  const rooms = new Map<string, Map<string, Present>>();
  const add = (page: Present) => {
    const room = rooms.get(page.roomId) ?? new Map<string, Present>();
    rooms.set(page.roomId, room.set(keyOfPage(page.participant.id, page.channel), page));
    return [...room.values()];
  };
  return {
    publish(channel, message) {
      for (const listen of [...(listeners.get(channel) ?? [])]) listen(message);
    },
    subscribe(channel, listen) {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(listen));
      return {
        ready: Promise.resolve(),
        stop: () => {
          set.delete(listen);
          if (set.size === 0) listeners.delete(channel);
        },
      };
    },
    presence: {
      put: async (page) => around(add(page), page),
      keep: async (pages) => pages.forEach(add),
      async remove(pages) {
        for (const { roomId, participantId, channel } of pages) {
          const room = rooms.get(roomId);
          room?.delete(keyOfPage(participantId, channel));
          if (room?.size === 0) rooms.delete(roomId);
        }
      },
      among: async (pages) =>
        pages.filter(({ roomId, participantId, channel }) =>
          rooms.get(roomId)?.has(keyOfPage(participantId, channel)),
        ),
      list: async (roomId) => peopleOf([...(rooms.get(roomId)?.values() ?? [])]),
    },
    close: async () => listeners.clear(),
  };
}

export const keyOfPage = (participantId: string, channel: Channel) => `${participantId}/${channel}`;
