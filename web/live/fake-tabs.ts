import type { NoticeToPage } from '#domain/notices/live.ts';
import type { WebSocketLike } from './live-socket.ts';
import type { Locks } from './shared-turn.ts';

/** The locks of one browser, as Web Locks grants them: one holder of a name, others in turn. */
export function fakeLocks(): Locks {
  interface Request {
    run: () => Promise<unknown>;
    fail: (error: Error) => void;
    done: (value: unknown) => void;
  }
  const queue: Request[] = [];
  let holder: Request | null = null;
  const next = () => {
    if (holder || queue.length === 0) return;
    const request = queue.shift() ?? null;
    holder = request;
    void request?.run().then((value) => {
      if (holder !== request) return;
      holder = null;
      request.done(value);
      next();
    });
  };
  const request = (
    _name: string,
    { signal, steal }: LockOptions,
    callback: (lock: Lock | null) => Promise<unknown>,
  ) =>
    new Promise((done, fail) => {
      const asked: Request = { run: () => callback(null), fail, done };
      if (steal) {
        const before = holder;
        holder = null;
        queue.unshift(asked);
        next();
        before?.fail(new DOMException('stolen', 'AbortError'));
        return;
      }
      signal?.addEventListener('abort', () => {
        if (!queue.includes(asked)) return;
        queue.splice(queue.indexOf(asked), 1);
        fail(new DOMException('aborted', 'AbortError'));
      });
      queue.push(asked);
      next();
    });
  return { request } as Locks;
}

/** A channel between the tabs of this browser, which delivers at once. */
export class FakeChannel {
  static readonly open = new Set<FakeChannel>();
  readonly name: string;
  onmessage: ((event: MessageEvent) => void) | null = null;
  /** A suspended tab hears nothing. */
  isSuspended = false;

  constructor(name: string) {
    this.name = name;
    FakeChannel.open.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of [...FakeChannel.open]) {
      if (other === this || other.name !== this.name || other.isSuspended) continue;
      other.onmessage?.(new MessageEvent('message', { data: structuredClone(data) }));
    }
  }

  close(): void {
    FakeChannel.open.delete(this);
  }
}

/** A socket of notices whose server side is the test. */
export class FakeNoticeSocket implements WebSocketLike {
  onopen: WebSocketLike['onopen'] = null;
  onmessage: WebSocketLike['onmessage'] = null;
  onclose: WebSocketLike['onclose'] = null;
  readonly sent: string[] = [];
  isClosed = false;
  readyState: number = WebSocket.OPEN;

  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.isClosed = true;
  }
  says(message: NoticeToPage): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
  closes(code: number): void {
    this.onclose?.(Object.assign(new Event('close'), { code, reason: '', wasClean: true }));
  }
}
