import type { Participant } from '#domain/calls/participant.ts';

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

export interface Present {
  roomId: string;
  participant: Participant;
}

/** The participants in each room, over all processes. */
export interface Presence {
  /** Adds or changes one participant. Returns the other participants, atomically with the change. */
  put(roomId: string, participant: Participant): Promise<Participant[]>;
  /** Adds, changes, or renews participants, at a cost that grows only with their number. */
  keep(present: readonly Present[]): Promise<void>;
  remove(roomId: string, participantId: string): Promise<void>;
  list(roomId: string): Promise<Participant[]>;
}

/** Returns the bus for a single process. */
export function inProcessBus(): LiveBus {
  const listeners = new Map<string, Set<(message: unknown) => void>>();
  const rooms = new Map<string, Map<string, Participant>>();
  const add = ({ roomId, participant }: Present) => {
    const room = rooms.get(roomId) ?? new Map<string, Participant>();
    rooms.set(roomId, room.set(participant.id, participant));
    return room;
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
      async put(roomId, participant) {
        const room = add({ roomId, participant });
        return [...room.values()].filter((other) => other.id !== participant.id);
      },
      keep: async (present) => present.forEach(add),
      async remove(roomId, participantId) {
        const room = rooms.get(roomId);
        room?.delete(participantId);
        if (room?.size === 0) rooms.delete(roomId);
      },
      list: async (roomId) => [...(rooms.get(roomId)?.values() ?? [])],
    },
    close: async () => listeners.clear(),
  };
}
