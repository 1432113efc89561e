import type { Socket } from 'node:net';

/**
 * Hands what arrives on a connection to its reader in pieces, and nothing more once the connection was destroyed:
 * Node's HTTP parser and `ws` handle all that they are given at once, and 64 KB, which arrive together, hold 10,000
 * chunks or frames. Call when the reader has begun to listen, before other listeners of `stream` are added.
 * @param bytes of the next piece
 * @returns a function that ends it: what arrives afterwards is handed to no one
 */
export function inPieces(stream: Socket, bytes: () => number): () => void {
  const [read] = stream.listeners('data') as ((piece: Buffer) => void)[];
  if (!read) throw new Error('the connection has no reader of data');
  let isOver = false;
  const feed = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !isOver && !stream.destroyed; ) {
      const end = at + bytes();
      read.call(stream, chunk.subarray(at, end));
      at = end;
    }
  };
  stream.off('data', read);
  stream.on('data', feed);
  return () => {
    isOver = true;
    stream.off('data', feed);
  };
}
