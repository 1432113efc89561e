import { Readable } from 'node:stream';

/** Bytes of a file that wait for no turn. Sending them costs no more than other requests. */
export const freeBytes = 64 * 1024;
/** Each piece waits for its own turn, so that a stream costs what was sent, and all get the same rate. */
const pieceBytes = 64 * 1024;

/**
 * Returns the content as a stream whose pieces wait for their turns.
 * @param turn resolves with true once so many bytes may be sent, with false if nobody reads them any more
 * @param free how many bytes wait for none
 */
export function pacedStream(
  content: Readable,
  turn: (bytes: number) => Promise<boolean>,
  free: number,
): Readable {
  // A file may fail before it is read. Without a listener, its error would end the process.
  content.on('error', () => undefined);
  return Readable.from(piecesInTurn(content, turn, free), {
    objectMode: false,
    highWaterMark: pieceBytes,
  });
}

async function* piecesInTurn(
  content: Readable,
  turn: (bytes: number) => Promise<boolean>,
  free: number,
) {
  let sent = 0;
  for await (const chunk of content) {
    // `Buffer.from` would copy a buffer.
    for (const piece of piecesOf(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk))) {
      sent += piece.length;
      if (sent > free && !(await turn(piece.length))) return;
      yield piece;
    }
  }
}

/** Yields the bytes in pieces, so that the server sees how fast a client reads them. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
