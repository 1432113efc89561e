import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type NoticeToPage, noticeToPage, type RoomNow } from '#domain/notices/live.ts';

const patienceMs = 15_000;

/** A browser's end of `/ws/notices`, which keeps the rooms that it was told of. */
export class NoticeClient {
  readonly socket: WebSocket;
  readonly heard: NoticeToPage[] = [];
  readonly rooms = new Map<string, RoomNow>();
  /** The close code, once either side has closed. */
  readonly closed: Promise<number>;
  #wake = () => {};

  /** @param headers with the session cookie */
  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(`${url}/ws/notices`, { headers });
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code) => resolve(code));
      this.socket.once('error', () => resolve(0));
    });
    this.closed.then(() => this.#wake());
    this.socket.on('message', (data) => {
      this.#hear(noticeToPage.parse(JSON.parse(String(data))));
      this.#wake();
    });
  }

  /** Opens a socket with the visitor's session, and waits for the rooms. */
  static async open(url: string, { cookie }: { cookie: string }): Promise<NoticeClient> {
    const client = new NoticeClient(url, { cookie });
    await client.until(() => client.heard.some(({ type }) => type === 'rooms'));
    return client;
  }

  room(id: string): RoomNow | undefined {
    return this.rooms.get(id);
  }

  /** Returns the names of the guests that this browser is called to. */
  guestsOf(id: string): string[] | undefined {
    return this.room(id)?.guests?.map(({ name }) => name);
  }

  async until(fits: () => boolean): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!fits()) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (this.socket.readyState === WebSocket.CLOSED) {
        throw new Error(`closed with ${await this.closed}`);
      }
      const left = deadline - Date.now();
      const tooLate = new Promise<'late'>((resolve) => setTimeout(resolve, left, 'late'));
      if (left <= 0 || (await Promise.race([woken, tooLate])) === 'late') {
        throw new Error(`waited in vain, heard ${JSON.stringify(this.heard).slice(0, 2000)}`);
      }
    }
  }

  /** Waits for the answer to a ping: what was sent before it has arrived. */
  async settled(): Promise<this> {
    const before = this.heard.filter(({ type }) => type === 'pong').length;
    this.socket.send('{"type":"ping"}');
    await this.until(() => this.heard.filter(({ type }) => type === 'pong').length > before);
    return this;
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  #hear(message: NoticeToPage): void {
    this.heard.push(message);
    if (message.type === 'rooms') {
      this.rooms.clear();
      for (const room of message.rooms) this.rooms.set(room.roomId, room);
    }
    if (message.type === 'room') this.rooms.set(message.room.roomId, message.room);
    if (message.type === 'changed') {
      for (const room of message.rooms) this.rooms.set(room.roomId, room);
    }
  }
}
