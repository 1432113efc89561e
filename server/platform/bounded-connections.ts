import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';
import { addressKey } from './address-key.ts';
import { hasBody, sizeOf } from './body-size.ts';
import { type ConnectionBounds, OpenConnections } from './open-connections.ts';
import { openFilesLimit } from './open-files-limit.ts';
import { allowedAddresses } from './private-addresses.ts';

/**
 * Connections of one address, WebSockets included: 250 colleagues behind it with eight each. Scaled
 * like the rate limits, for load tests.
 */
const mostConnections = 2_000;
/**
 * Idle and unfinished connections in all, about 100 MB. One with headers of 15 KB takes 29 KB, and 87 KB where this
 * program terminates TLS, or 200 KB if its client has sent more than may be read yet (metered-tls.ts).
 */
const mostWaiting = { plain: 3_000, tls: 700 };
/**
 * Those with a request in progress, such as files that wait for their turn: up to 70 KB each, and 150 KB with TLS. An
 * office of 250 people that opens a page at once sends two requests each.
 */
const mostAnswering = { plain: 2_000, tls: 600 };
/** The remaining open files are for the database, the files that are served, and other servers. */
const shareOfOpenFiles = 3 / 4;

/**
 * Bounds the connections of each address and of all addresses together, below the open files that
 * the system allows this process. Connections of a trusted proxy count in the total only: the proxy
 * bounds its own clients. A request counts for its client, by whatever proxy it came.
 */
export function boundConnections(
  http: FastifyInstance,
  config: Config,
  bounds = connectionBounds(http),
): void {
  const isProxy = proxiesOf(config);
  const mostOfAddress = mostConnections * config.RATE_LIMIT_SCALE;
  const counts = new Map<string, number>();
  const connections = new OpenConnections(bounds);
  http.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    const address = addressKey(remoteAddress);
    if (isProxy(remoteAddress)) return connections.add(socket);
    const count = (counts.get(address) ?? 0) + 1;
    if (count > mostOfAddress) return void socket.destroy();
    counts.set(address, count);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
    connections.add(socket);
  });
  followRequests(http, connections);
}

function connectionBounds({ server }: FastifyInstance): ConnectionBounds {
  const kind = server instanceof TlsServer ? 'tls' : 'plain';
  return {
    waiting: mostWaiting[kind],
    answering: mostAnswering[kind],
    inAll: Math.floor(openFilesLimit() * shareOfOpenFiles),
  };
}

/** An upgrade to a WebSocket is a request whose answer ends when the socket closes. */
function followRequests(http: FastifyInstance, connections: OpenConnections): void {
  http.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    const connection = connections.of(raw.socket);
    if (!connection) return;
    let isReceived = false;
    const receive = () => {
      isReceived = true;
      connections.received(connection, request.ip);
    };
    if (request.ws) connections.upgraded(connection);
    connections.requested(connection);
    if (waitsForBody(request)) raw.once('end', receive);
    else receive();
    reply.raw.once('close', () => {
      raw.off('end', receive);
      if (isReceived) connections.answered(connection);
    });
  });
}

/** The number of longer bodies is bounded (body-places.ts), and some wait for their turn. */
const waitsForBody = (request: FastifyRequest) => hasBody(request) && sizeOf(request) === 'short';

/** Returns whether an address is that of a trusted proxy. */
export function proxiesOf({ TRUSTED_PROXIES }: Config): (address: string) => boolean {
  const isProxy = allowedAddresses(TRUSTED_PROXIES?.replace(/[a-z]+local|loopback/g, named));
  return (address) => isProxy(address) || isProxy(addressKey(address));
}

/** The names of address ranges that Fastify's trustProxy accepts. */
const ranges: Record<string, string> = {
  loopback: '127.0.0.0/8,::1',
  linklocal: '169.254.0.0/16,fe80::/10',
  uniquelocal: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7',
};
const named = (name: string) => ranges[name] ?? name;
