import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config.ts';
import { addressKey, networkKey } from './address-key.ts';
import { Allowance, type AllowanceBounds } from './allowance.ts';
import { proxiesOf } from './bounded-connections.ts';
import { LoopTurns } from './loop-turns.ts';
import { type Meter, MeteredSocket } from './metered-socket.ts';
import { CostOfRecords } from './tls-records.ts';

/**
 * Small TLS records of one address: each takes about 10 µs. Bytes without application data, such as padding and new keys
 * (RFC 8446, sections 4.6.3 and 5.4), are charged as small records. A participant whose speech is recognized
 * sends about ten small ones a second, and one address may have 250 colleagues in calls.
 */
const recordsOfAddress = { burst: 6_000, perSecond: 3_000 };
/** One connection leaves room for the others of its address. */
const recordsOfConnection = { burst: 400, perSecond: 200 };
/**
 * Each takes a signature, 0.8 ms with a key of 2,048 bits, and a client may send what it has sent before. After a restart,
 * 250 colleagues behind one address come back with two connections each.
 */
const handshakesOfNetwork = { burst: 500, perSecond: 50 };
/** Of each iteration of the event loop, in which many connections may have sent something. */
const sliceMs = 0.5;

interface OverStream extends TLSSocket {
  /** Node keeps the stream that TLS reads here, under no documented name. */
  _handle?: { _parentWrap?: { stream?: unknown } };
}

/**
 * Reads TLS within a bound of records for each address, where this program terminates TLS. HTTP's own bounds see only
 * what was decrypted: a client could send 100,000 records a second that hold one byte, or none. Beyond the bound, a
 * connection waits, and so it does for its handshake. Call before other listeners of `connection` are added. A trusted
 * proxy writes records of its own, and speaks for many.
 */
export function meterTls({ server }: FastifyInstance, config: Config): void {
  if (!(server instanceof TlsServer)) return;
  const allowance = (bounds: AllowanceBounds) => new Allowance(bounds, config.RATE_LIMIT_SCALE);
  const records = allowance(recordsOfAddress);
  const handshakes = allowance(handshakesOfNetwork);
  const turns = new LoopTurns(sliceMs);
  const isProxy = proxiesOf(config);
  const [accept] = server.listeners('connection') as ((socket: Duplex) => void)[];
  if (!accept) throw new Error('the server accepts no connections');
  const established = new WeakMap<MeteredSocket, (secure: TLSSocket) => void>();
  server.off('connection', accept);
  server.on('connection', (raw: Socket) => {
    const { remoteAddress = '' } = raw;
    if (isProxy(remoteAddress)) return accept.call(server, raw);
    const [key, network] = [addressKey(remoteAddress), networkKey(remoteAddress)];
    const ofThis = allowance(recordsOfConnection);
    const cost = new CostOfRecords();
    const meter: Meter = {
      turn: () => turns.wait(network),
      waitMs: () => {
        const now = performance.now();
        const owed = Math.max(ofThis.debtMs(key, now), records.debtMs(key, now));
        return cost.hasBegun ? owed : Math.max(owed, handshakes.debtMs(network, now));
      },
      spend: (_ms, piece) => {
        if (!cost.hasBegun) handshakes.spend(network, 1, performance.now());
        const small = cost.of(piece);
        for (const one of [ofThis, records]) one.spend(key, small, performance.now());
      },
    };
    const socket = new MeteredSocket(raw, meter, { endsAtOnce: true });
    // The TLS socket reports the error in more detail, and closes this one.
    socket.on('error', () => undefined);
    established.set(socket, (secure) => {
      socket.secured();
      cost.decrypted = () => secure.bytesRead;
      copyAddresses(raw, secure);
    });
    accept.call(server, socket);
  });
  server.prependListener('secureConnection', (secure: OverStream) => {
    // Node stops listening on an upgrade, and TLS may meet an error in what had arrived before the socket was closed.
    secure.on('error', () => undefined);
    const socket = secure._handle?._parentWrap?.stream;
    if (socket instanceof MeteredSocket) established.get(socket)?.(secure);
  });
}

/** TLS over a stream has no addresses of its own. */
function copyAddresses(from: Socket, to: TLSSocket): void {
  const { remoteAddress, remotePort, remoteFamily, localAddress, localPort, localFamily } = from;
  const addresses = {
    remoteAddress,
    remotePort,
    remoteFamily,
    localAddress,
    localPort,
    localFamily,
  };
  for (const [name, value] of Object.entries(addresses)) Object.defineProperty(to, name, { value });
}
