import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { noticePingSeconds, noticeToServer } from '#domain/notices/live.ts';
import { Allowance } from '#server/platform/allowance.ts';

/** A ping with its frame takes far less. */
const mostMessageBytes = 256;
/** Messages and control frames of one socket; a page sends one in 25 seconds. */
const rate = { burst: 20, perSecond: 1 };
const silenceMs = noticePingSeconds * 3 * 1000;

/**
 * Answers the pings of a socket. Closes one that sends anything else, or too much, or that falls silent.
 * @param stream what `socket` reads from
 */
export function readPings(socket: WebSocket, stream: Socket): void {
  const allowance = new Allowance(rate);
  const silence = setTimeout(() => socket.terminate(), silenceMs).unref();
  let unfinishedBytes = 0;
  const count = () => {
    unfinishedBytes = 0;
    silence.refresh();
    if (allowance.take('', 1) === 0) return true;
    socket.terminate();
    return false;
  };
  socket.on('message', (data) => {
    if (!count()) return;
    if (isPing(String(data))) socket.send('{"type":"pong"}');
    else socket.close(closeCodes.badMessage, 'bad message');
  });
  for (const frame of ['ping', 'pong'] as const) socket.on(frame, count);
  // Added after the listener of `ws`, which has read the messages of this chunk.
  stream.on('data', (chunk: Buffer) => {
    unfinishedBytes += chunk.length;
    if (unfinishedBytes > mostMessageBytes) socket.terminate();
  });
  socket.once('close', () => clearTimeout(silence));
}

function isPing(text: string): boolean {
  try {
    return text.length <= mostMessageBytes && noticeToServer.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
