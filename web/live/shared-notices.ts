import * as z from 'zod/mini';
import { isQuiet, type NoticeToPage, type RoomNow, roomNow } from '#domain/notices/live.ts';
import type { WebSocketLike } from './live-socket.ts';
import { NoticeSocket } from './notice-socket.ts';
import { type Locks, SharedTurn } from './shared-turn.ts';
import { WritableStore } from './store.ts';

/** A holder that does not answer a visible tab for this long is suspended. */
const answerMs = 1_500;
/** Without a connection for this long, nothing is shown rather than what may be over. */
const staleMs = 30_000;

const betweenTabs = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ask') }),
  z.object({
    type: z.literal('rooms'),
    rooms: z.array(roomNow),
    putOff: z.array(z.string()),
  }),
  z.object({ type: z.literal('put-off'), guests: z.array(z.string()) }),
]);
type BetweenTabs = z.infer<typeof betweenTabs>;

export interface NoticesState {
  rooms: readonly RoomNow[];
  /** The waits that the person put off, in this browser: `waitOf`. */
  putOff: readonly string[];
}

/** A guest's wait. One who returns after a longer absence begins another. */
export const waitOf = ({ id, since }: { id: string; since: string }) => `${id} ${since}`;

interface SharedNoticesOptions {
  /** Of the person: tabs of one person share a connection. */
  name: string;
  openWebSocket: () => WebSocketLike;
  locks?: Locks | undefined;
}

/**
 * What happens in the organization's rooms, by one connection for all tabs of the browser: one tab holds it, and
 * passes on what it hears.
 */
export class SharedNotices extends WritableStore<NoticesState> {
  readonly #channel: BroadcastChannel;
  readonly #turn: SharedTurn;
  readonly #over = new AbortController();
  #answer: ReturnType<typeof setTimeout> | undefined;

  constructor({ name, openWebSocket, locks = navigator.locks }: SharedNoticesOptions) {
    super({ rooms: [], putOff: [] });
    const { signal } = this.#over;
    this.#channel = new BroadcastChannel(`notices ${name}`);
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#turn = new SharedTurn(`notices ${name}`, () => this.#hold(openWebSocket), locks);
    document.addEventListener('visibilitychange', () => this.#ask(), { signal });
    this.#ask();
  }

  /** Shows nothing more about these waits, in all tabs. */
  putOff(guests: readonly string[]): void {
    this.#putOff(guests);
    this.#say({ type: 'put-off', guests: [...guests] });
  }

  close(): void {
    this.#over.abort();
    clearTimeout(this.#answer);
    this.#turn.close();
    this.#channel.close();
    this.update({ rooms: [] });
  }

  /** A visible tab asks the holder what it knows. */
  #ask(): void {
    if (this.#turn.isHolder || document.visibilityState !== 'visible') return;
    this.#say({ type: 'ask' });
    clearTimeout(this.#answer);
    this.#answer = setTimeout(() => this.#turn.takeOver(), answerMs);
  }

  #hear(data: unknown): void {
    const { data: message } = z.safeParse(betweenTabs, data);
    if (message?.type === 'put-off') this.#putOff(message.guests);
    if (message?.type === 'ask' && this.#turn.isHolder) this.#tell(this.getSnapshot().rooms);
    if (message?.type !== 'rooms' || this.#turn.isHolder) return;
    clearTimeout(this.#answer);
    this.update({ rooms: message.rooms, putOff: message.putOff });
  }

  /** This tab holds the connection from now on. */
  #hold(openWebSocket: () => WebSocketLike): () => void {
    clearTimeout(this.#answer);
    let stale: ReturnType<typeof setTimeout> | undefined;
    const socket = new NoticeSocket({
      openWebSocket,
      onMessage: (message) => {
        clearTimeout(stale);
        stale = undefined;
        if (message.type !== 'pong') this.#tell(changed(this.getSnapshot().rooms, message));
      },
      onLost: () => {
        stale ??= setTimeout(() => this.#tell([]), staleMs);
      },
    });
    const hurry = () => socket.hurry();
    window.addEventListener('online', hurry);
    return () => {
      clearTimeout(stale);
      window.removeEventListener('online', hurry);
      socket.close();
    };
  }

  #tell(rooms: readonly RoomNow[]): void {
    this.update({ rooms });
    this.#say({ type: 'rooms', rooms: [...rooms], putOff: [...this.getSnapshot().putOff] });
  }

  #putOff(guests: readonly string[]): void {
    const waits = new Set(
      this.getSnapshot().rooms.flatMap(({ guests = [] }) => guests.map(waitOf)),
    );
    const known = this.getSnapshot().putOff.filter((wait) => waits.has(wait));
    this.update({ putOff: [...new Set([...known, ...guests])] });
  }

  #say(message: BetweenTabs): void {
    if (!this.#over.signal.aborted) this.#channel.postMessage(message);
  }
}

/** Returns the rooms after a message of the server. */
function changed(
  rooms: readonly RoomNow[],
  message: Exclude<NoticeToPage, { type: 'pong' }>,
): RoomNow[] {
  if (message.type === 'rooms') return message.rooms;
  const told = message.type === 'room' ? [message.room] : message.rooms;
  const toldIds = new Set(told.map(({ roomId }) => roomId));
  const others = rooms.filter(({ roomId }) => !toldIds.has(roomId));
  return [...others, ...told.filter((room) => !isQuiet(room))];
}
