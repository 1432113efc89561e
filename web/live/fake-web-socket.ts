import type { ToBrowser, ToServer, Welcome } from '#domain/calls/live.ts';
import type { WebSocketLike } from './live-socket.ts';

/** A WebSocket whose server side is the test. */
export class FakeWebSocket implements WebSocketLike {
  onopen: WebSocketLike['onopen'] = null;
  onmessage: WebSocketLike['onmessage'] = null;
  onclose: WebSocketLike['onclose'] = null;
  readonly sent: ToServer[] = [];
  closed = false;
  readyState: number = WebSocket.OPEN;
  /** Answers each ping, as a healthy server does. Without it the page soon treats the socket as lost. */
  answersPings = false;

  send(text: string): void {
    const message: ToServer = JSON.parse(text);
    this.sent.push(message);
    if (message.type === 'ping' && this.answersPings) this.says({ type: 'pong' });
  }
  close(): void {
    this.closed = true;
  }

  opens(): void {
    this.onopen?.(new Event('open'));
  }
  says(message: ToBrowser): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
  closes(code: number): void {
    this.onclose?.(Object.assign(new Event('close'), { code, reason: '', wasClean: true }));
  }
}

export const greet = (changed: Partial<Welcome> = {}): Welcome => ({
  type: 'welcome',
  protocol: 1,
  session: 's1',
  sequence: 0,
  resumed: false,
  self: 'me',
  mayEdit: false,
  participants: [],
  room: { id: 'r', topic: 'Review' },
  organization: { name: 'Northwind', brandColor: '#0f766e', logoUrl: null },
  call: null,
  iceServers: [],
  token: 'newest',
  ...changed,
});
