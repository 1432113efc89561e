import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import { inPieces } from './in-pieces.ts';

/** Of what Node's parser is given at once. */
const pieceBytes = 8 * 1024;
/** Within a body of known length, which cannot be cut into chunks: each piece passes through parser, stream, and reader. */
const pieceOfBody = 64 * 1024;
/** Each costs as much as 512 bytes in one. Senders flush a few KB at a time. */
const mostSmallChunks = 256;
const bytesOfChunk = 512;

/**
 * Ends a request whose body comes in more chunks than its bytes need (RFC 9112, section 7.1): Node's parser, the
 * stream, and its reader handle each apart, so 16,000 bytes in 16,000 chunks would take 50 milliseconds.
 */
export function boundChunks(http: FastifyInstance): void {
  const ends = new WeakMap<Socket, () => void>();
  /** Bytes of the current body, if its length is known, that have not come yet. */
  const toCome = new WeakMap<Socket, number>();
  const sizeOfPiece = (stream: Socket) =>
    Math.max(pieceBytes, Math.min(pieceOfBody, toCome.get(stream) ?? 0));
  const server: Server = http.server;
  const isTls = server instanceof TlsServer;
  server.on(isTls ? 'secureConnection' : 'connection', (stream: Socket) => {
    const end = inPieces(stream, () => sizeOfPiece(stream));
    ends.set(stream, end);
  });
  // From then on, `ws` reads. A client sends nothing before it is answered (RFC 6455, section 4.1).
  server.prependListener('upgrade', (_request, stream: Socket) => ends.get(stream)?.());
  // No hook of Fastify: the chunks that come with the headers are read before hooks run.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
    if (coding === undefined) {
      const bytes = Number(length ?? 0);
      // What comes after the body may be another request.
      if (bytes > pieceBytes) {
        let left = bytes;
        toCome.set(request.socket, left);
        watchBody(request, (length) => {
          left -= length;
          toCome.set(request.socket, left);
          return true;
        });
      }
      return;
    }
    countChunks(request, () => {
      ends.get(request.socket)?.();
      refuse(request, response);
    });
  });
}

/** @param lets is told the length of each chunk that was read, and returns whether it is handed on */
function watchBody(request: IncomingMessage, lets: (length: number) => boolean): void {
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) =>
    (chunk === null || lets(chunk.length)) && push(chunk, encoding);
}

function countChunks(request: IncomingMessage, tooMany: () => void): void {
  let bytes = 0;
  let chunks = 0;
  let isRefused = false;
  watchBody(request, (length) => {
    bytes += length;
    chunks += 1;
    if (!isRefused && chunks <= mostSmallChunks + bytes / bytesOfChunk) return true;
    if (!isRefused) tooMany();
    isRefused = true;
    return false;
  });
}

/** Emits the error on the request, so that the code reading the body answers the client. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || request.listenerCount('error') === 0) return void request.destroy();
  response.setHeader('connection', 'close');
  request.emit('error', tooManyChunks());
}

/** Fastify takes the status from `statusCode` when reading the body fails. */
const tooManyChunks = () =>
  Object.assign(
    new DomainError(
      'invalid',
      'too_many_chunks',
      'This body comes in too many small chunks. Send it with a Content-Length, or in larger chunks.',
    ),
    { statusCode: 400 },
  );
