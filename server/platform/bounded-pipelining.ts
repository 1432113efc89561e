import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests of one connection that await their answers. Browsers and proxies send one after the other. */
const mostPipelined = 10;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Ends a connection with too many unanswered requests, before any of them costs more than its parsing: 64 KB, which
 * arrive together, hold 2,400 of them. Call before other listeners of `request` are added.
 */
export function boundPipelining(http: FastifyInstance): void {
  const server: Server = http.server;
  const [answer] = server.listeners('request') as Answer[];
  if (!answer) throw new Error('the server has no listener of requests');
  const waiting = new WeakMap<Socket, number>();
  const bound = (handle: Answer) => (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Node hands on all requests that came in one piece, also those behind the one that was too many.
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > mostPipelined) return void socket.destroy();
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    handle.call(server, request, response);
  };
  server.off('request', answer);
  server.on(
    'request',
    bound((request, response) => {
      // RFC 9112, section 3.2. Node would answer it without an event (see `newServer`).
      const { host } = request.headers;
      if (host === undefined && request.httpVersion !== '1.0') refuse(response, 400);
      else answer.call(server, request, response);
    }),
  );
  // Another expectation than 100-continue (RFC 9110, section 10.1.1), which Node would answer itself.
  server.on(
    'checkExpectation',
    bound((_request, response) => refuse(response, 417)),
  );
}

const refuse = (response: ServerResponse, status: number) =>
  void response.writeHead(status, { connection: 'close' }).end();
