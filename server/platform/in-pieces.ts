import type { Socket } from 'node:net';

/**
 * Hands what arrives on a connection to its reader in pieces, and nothing more once the connection was destroyed:
 * Node's HTTP parser and `ws` handle all that they are given at once, and 64 KB, which arrive together, hold 10,000
 * chunks or frames. The rest waits while the reader has paused the connection, as Node's does when too many answers
 * wait: it fails if it is given more. Call when the reader has begun to listen, before other listeners of `stream` are
 * added.
 * @param bytes of the next piece
 * @param handled is told the length of each piece that the reader has handled
 * @returns a function that ends it: what arrives afterwards is handed to no one
 */
export function inPieces(
  stream: Socket,
  bytes: () => number,
  handled: (length: number) => void = () => undefined,
): () => void {
  const [read] = stream.listeners('data') as ((piece: Buffer) => void)[];
  if (!read) throw new Error('the connection has no reader of data');
  let isOver = false;
  let rest: Buffer | null = null;
  const feed = (chunk: Buffer) => {
    const arrived = rest ? Buffer.concat([rest, chunk]) : chunk;
    rest = null;
    for (let at = 0; at < arrived.length && !isOver && !stream.destroyed; ) {
      if (stream.isPaused()) {
        rest = arrived.subarray(at);
        return;
      }
      const piece = arrived.subarray(at, at + bytes());
      read.call(stream, piece);
      at += piece.length;
      handled(piece.length);
    }
  };
  const goOn = () => rest && feed(Buffer.alloc(0));
  stream.off('data', read);
  stream.on('data', feed);
  stream.on('resume', goOn);
  return () => {
    isOver = true;
    rest = null;
    stream.off('data', feed);
    stream.off('resume', goOn);
  };
}
