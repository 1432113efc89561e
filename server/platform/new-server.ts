import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';

const headersSeconds = 20;
const checkSeconds = 5;
/** All routes are one plugin. Where a machine is busy, they take longer than Fastify's ten seconds. */
const slowestStartMs = 120_000;

/**
 * Checks for requests that arrive too slowly every few seconds. Ignores an upgrade to another protocol than
 * WebSocket (RFC 9110, 7.8), which `curl --http2` requests.
 */
export function newServer(
  settings: FastifyServerOptions,
  tls?: { cert: string; key: string },
): FastifyInstance {
  const ofNode = {
    headersTimeout: headersSeconds * 1000,
    connectionsCheckingInterval: checkSeconds * 1000,
    // Done within the bound of pipelined requests.
    requireHostHeader: false,
    shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
      /^websocket$/i.test(headers.upgrade ?? ''),
  };
  const server = tls ? { https: { ...tls, ...ofNode } } : { http: ofNode };
  const options: FastifyServerOptions = { ...settings, ...server, pluginTimeout: slowestStartMs };
  return Fastify(options);
}
