import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config.ts';
import { addressKey } from './address-key.ts';
import { Allowance } from './allowance.ts';
import { proxiesOf } from './bounded-connections.ts';
import { type Meter, MeteredSocket } from './metered-socket.ts';
import { TlsRecords } from './tls-records.ts';

/**
 * Small TLS records that are read from one address: each takes about 10 µs, however little it holds. A participant whose
 * speech is recognized sends about ten a second, and one address may have 250 colleagues in calls.
 */
const recordsOfAddress = { burst: 6_000, perSecond: 3_000 };
/** One connection leaves room for the others of its address. */
const recordsOfConnection = { burst: 400, perSecond: 200 };

interface OverStream extends TLSSocket {
  /** Node keeps the stream that TLS reads here, under no documented name. */
  _handle?: { _parentWrap?: { stream?: unknown } };
}

/**
 * Reads TLS within a bound of records for each address, where this program terminates TLS. HTTP's own bounds see only
 * what was decrypted: a client could send 100,000 records a second that hold one byte, or a new key and nothing else
 * (RFC 8446, section 4.6.3). Beyond the bound, a connection waits. Call before other listeners of `connection` are
 * added. A trusted proxy writes records of its own, and speaks for many.
 */
export function meterTls({ server }: FastifyInstance, config: Config): void {
  if (!(server instanceof TlsServer)) return;
  const spent = new Allowance(recordsOfAddress, config.RATE_LIMIT_SCALE);
  const isProxy = proxiesOf(config);
  const [accept] = server.listeners('connection') as ((socket: Duplex) => void)[];
  if (!accept) throw new Error('the server accepts no connections');
  const rawOf = new WeakMap<MeteredSocket, Socket>();
  server.off('connection', accept);
  server.on('connection', (raw: Socket) => {
    const { remoteAddress = '' } = raw;
    if (isProxy(remoteAddress)) return accept.call(server, raw);
    const key = addressKey(remoteAddress);
    const ofThis = new Allowance(recordsOfConnection, config.RATE_LIMIT_SCALE);
    const records = new TlsRecords();
    const meter: Meter = {
      waitMs: () => Math.max(...[ofThis, spent].map((one) => one.debtMs(key, performance.now()))),
      spend: (_ms, piece) => {
        const small = records.countSmall(piece);
        for (const one of [ofThis, spent]) one.spend(key, small, performance.now());
      },
    };
    const socket = new MeteredSocket(raw, meter, { endsAtOnce: true });
    // The TLS socket reports the error in more detail, and closes this one.
    socket.on('error', () => undefined);
    rawOf.set(socket, raw);
    accept.call(server, socket);
  });
  server.prependListener('secureConnection', (secure: OverStream) => {
    // Node stops listening on an upgrade, and TLS may meet an error in what had arrived before the socket was closed.
    secure.on('error', () => undefined);
    const socket = secure._handle?._parentWrap?.stream;
    if (!(socket instanceof MeteredSocket)) return;
    socket.secured();
    const raw = rawOf.get(socket);
    if (raw) copyAddresses(raw, secure);
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
