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
 * What a client sends before a request, around the chunks of a body, and after it: Node's parser skips any number of
 * empty lines (RFC 9112, section 2.2) and of leading zeros of a chunk's size. Headers of a request, 16 KB at most, are
 * among what has been read when it is handed on.
 */
const mostOutsideBodies = 32 * 1024;
/** Sizes of chunks and their ends, which a body of many bytes has more of. */
const shareOfFraming = 1 / 16;

/** What has been read of a connection. */
interface Reading {
  /** Bytes since the last request that belong to no body; below 0 while a body is still to come. */
  outside: number;
  /** Whether the length of the last request's body is known. */
  isKnown: boolean;
  end(): void;
}

/** Bytes that come before another request may begin. */
const stillOfBody = ({ outside, isKnown }: Reading) => (isKnown ? -outside : 0);

/**
 * Ends a request whose body comes in more chunks than its bytes need (RFC 9112, section 7.1): Node's parser, the
 * stream, and its reader handle each apart, so 16,000 bytes in 16,000 chunks would take 50 milliseconds. Closes a
 * connection that sends much outside of requests, which no other bound sees.
 */
export function boundChunks(http: FastifyInstance): void {
  const readings = new WeakMap<Socket, Reading>();
  const server: Server = http.server;
  const isTls = server instanceof TlsServer;
  server.on(isTls ? 'secureConnection' : 'connection', (stream: Socket) => {
    const reading: Reading = { outside: 0, isKnown: false, end: () => undefined };
    const sizeOfPiece = () => Math.max(pieceBytes, Math.min(pieceOfBody, stillOfBody(reading)));
    reading.end = inPieces(stream, sizeOfPiece, (length) => {
      reading.outside += length;
      if (reading.outside > mostOutsideBodies) stream.destroy();
    });
    readings.set(stream, reading);
  });
  // From then on, `ws` reads. A client sends nothing before it is answered (RFC 6455, section 4.1).
  server.prependListener('upgrade', (_request, stream: Socket) => readings.get(stream)?.end());
  // No hook of Fastify: the chunks that come with the headers are read before hooks run.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const reading = readings.get(request.socket);
    if (!reading) return;
    const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
    reading.isKnown = coding === undefined;
    reading.outside = reading.isKnown ? -Number(length) : 0;
    if (!reading.isKnown) countChunks(request, reading, response);
  });
}

/** @param lets is told the length of each chunk that was read, and returns whether it is handed on */
function watchBody(request: IncomingMessage, lets: (length: number) => boolean): void {
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) =>
    (chunk === null || lets(chunk.length)) && push(chunk, encoding);
}

function countChunks(request: IncomingMessage, reading: Reading, response: ServerResponse): void {
  let bytes = 0;
  let chunks = 0;
  let isRefused = false;
  watchBody(request, (length) => {
    bytes += length;
    chunks += 1;
    reading.outside -= length * (1 + shareOfFraming);
    if (!isRefused && chunks <= mostSmallChunks + bytes / bytesOfChunk) return true;
    if (!isRefused) {
      reading.end();
      refuse(request, response);
    }
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
