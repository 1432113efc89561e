import type { WebSocket } from 'ws';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { RoomNow } from '#domain/notices/live.ts';
import type { BusyRoom } from './rooms-now.ts';

/** Bytes that may wait for one browser: it reconnects, and reads everything again. */
const mostUnsentBytes = 1_000_000;

/** Whose socket of notices it is. */
export interface Reader {
  orgId: OrgId;
  accountId: AccountId;
  sessionId: string;
  mayAdmit: boolean;
}

/** A browser that reads notices. */
export class NoticePage {
  readonly reader: Reader;
  readonly socket: WebSocket;
  /** Has received all rooms, and from then on receives changes. */
  isGreeted = false;

  constructor(socket: WebSocket, reader: Reader) {
    this.socket = socket;
    this.reader = reader;
  }

  send(text: string): void {
    if (this.socket.bufferedAmount > mostUnsentBytes) this.socket.terminate();
    else this.socket.send(text);
  }

  /** Whether this person is called to the door of a room, and learns who waits. */
  isCalledTo({ called }: BusyRoom): boolean {
    if (!this.reader.mayAdmit) return false;
    return called.length === 0 || called.includes(this.reader.accountId);
  }
}

/** Rooms as messages to pages. Each room is serialized at most twice: with its guests, and without. */
export class RoomsText {
  readonly #rooms: readonly { busy: BusyRoom; known: Map<boolean, string> }[];
  /** The messages about all rooms, by the rooms that a page is called to: most pages are called to none. */
  readonly #joined = new Map<string, string>();

  constructor(rooms: readonly BusyRoom[]) {
    this.#rooms = rooms.map((busy) => ({ busy, known: new Map() }));
  }

  get isEmpty(): boolean {
    return this.#rooms.length === 0;
  }

  /** Returns the message that greets a page. */
  all(page: NoticePage): string {
    return `{"type":"rooms","rooms":[${this.#listFor(page)}]}`;
  }

  /** Returns the message about rooms that have changed. */
  changed(page: NoticePage): string {
    const list = this.#listFor(page);
    return this.#rooms.length === 1
      ? `{"type":"room","room":${list}}`
      : `{"type":"changed","rooms":[${list}]}`;
  }

  #listFor(page: NoticePage): string {
    const called = this.#rooms.map(({ busy }) => page.isCalledTo(busy));
    const key = called.map(Number).join('');
    const found = this.#joined.get(key);
    if (found !== undefined) return found;
    const texts = this.#rooms.map(({ busy, known }, at) => {
      const isCalled = called[at] === true;
      const text = known.get(isCalled) ?? JSON.stringify(shown(busy, isCalled));
      known.set(isCalled, text);
      return text;
    });
    const list = texts.join(',');
    this.#joined.set(key, list);
    return list;
  }
}

const shown = ({ room, guests }: BusyRoom, isCalled: boolean): RoomNow =>
  isCalled ? { ...room, guests } : room;
