import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { inPieces } from './in-pieces.ts';

/**
 * A frame takes 6 bytes at least, so what a piece holds is bounded, too. A socket that is paused because too many of its
 * messages wait gets no more than the piece that it was given.
 */
const pieceBytes = { beforeHello: 512, later: 1024 };
/** A page sends its hello, and what answers it; a proxy may ping. */
const mostBeforeHello = 20;
/** What a page has sent before it hears that its socket is closed. */
const mostOnceClosing = 200;

/**
 * Ends a socket that sends more than a few frames before its token was accepted, and one that goes on after it was
 * closed. Call when the socket was opened, before other listeners of `stream` are added.
 * @param stream what `socket` reads from
 * @returns a function to call once the token was accepted
 */
export function boundFrames(socket: WebSocket, stream: Socket): () => void {
  let isLetIn = false;
  let early = 0;
  let late = 0;
  for (const event of ['message', 'ping', 'pong'] as const) {
    socket.on(event, () => {
      if (!isLetIn) early += 1;
      if (socket.readyState !== socket.OPEN) late += 1;
      if (early > mostBeforeHello || late > mostOnceClosing) socket.terminate();
    });
  }
  inPieces(stream, () => (isLetIn ? pieceBytes.later : pieceBytes.beforeHello));
  return () => {
    isLetIn = true;
  };
}
