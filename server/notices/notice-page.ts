import type { WebSocket } from 'ws';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { NoticeToPage, RoomNow } from '#domain/notices/live.ts';
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

/** Returns what the page learns about a room. */
export const shownTo = (page: NoticePage, busy: BusyRoom): RoomNow =>
  page.isCalledTo(busy) ? { ...busy.room, guests: busy.guests } : busy.room;

export const asText = (message: NoticeToPage): string => JSON.stringify(message);
