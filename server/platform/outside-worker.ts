import { flushCompileCache } from 'node:module';
import { connect as connectTcp, isIP } from 'node:net';
import { setPriority } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { parentPort } from 'node:worker_threads';
import { Allowance } from './allowance.ts';
import { MeteredSocket } from './metered-socket.ts';
import {
  headersOf,
  pinnedTo,
  readBytes,
  reasonOf,
  sendRequest,
  statusOf,
} from './outside-request.ts';
import { isRedirect, type OutsideAnswer, type OutsideTask } from './outside-tasks.ts';

/**
 * Milliseconds of the thread that a payer has. A hundred deliveries a second, each with its own connection, take about
 * 200.
 */
const budget = { burst: 500, perSecond: 250 };
const spent = new Allowance(budget);
const behindRequests = 5;
/** Those of Node without finite-field Diffie-Hellman, whose numbers the server chooses: they may take seconds. */
const ciphers = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-RSA-AES256-SHA384', 'ECDHE-RSA-AES128-SHA256'],
].join(':');

/** Only Linux has priorities per thread; elsewhere this would slow down the whole server. */
if (process.platform === 'linux') setPriority(behindRequests);

/** One connection must not end the requests of all organizations. Its own request is ended by its signal. */
process.on('uncaughtException', (error: unknown) =>
  process.emitWarning(error instanceof Error ? error : String(error)),
);

parentPort?.on('message', async (task: OutsideTask) => {
  const { id } = task;
  try {
    const answer = await answerOf(task);
    parentPort?.postMessage({ id, answer, failure: null }, [answer.body.buffer]);
  } catch (error) {
    const failure = error instanceof Error ? reasonOf(error) : String(error);
    parentPort?.postMessage({ id, answer: null, failure });
  }
});
// A thread that is ended saves nothing at its end.
flushCompileCache();
parentPort?.postMessage('ready');

async function answerOf(task: OutsideTask): Promise<OutsideAnswer> {
  const { mostBytes, cutsLongAnswers, followsRedirects, limitMs } = task;
  const signal = AbortSignal.timeout(limitMs);
  const incoming = await sendRequest(task, signal, () => connectionOf(task));
  const [status, headers] = [statusOf(incoming), headersOf(incoming)];
  // Node's parser takes up to 999, which no Response can have.
  if (status < 200 || status > 599) throw new Error(`its status is ${status}`);
  if (followsRedirects && isRedirect(status, incoming.headers.location)) {
    incoming.destroy();
    return { status, headers, body: new Uint8Array() };
  }
  const body = await readBytes(incoming, mostBytes, cutsLongAnswers);
  return { status, headers, body: new Uint8Array(body) };
}

function connectionOf({ url, addresses, payer }: OutsideTask) {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const raw = connectTcp({
    host,
    port: Number(port || (isSecure ? 443 : 80)),
    lookup: pinnedTo(addresses),
  });
  const socket = new MeteredSocket(raw, {
    waitMs: () => spent.debtMs(payer),
    spend: (ms) => void spent.spend(payer, ms),
  });
  if (!isSecure) return socket.secured();
  // As the https module does: an address is no name to ask for (RFC 6066, section 3).
  const servername = isIP(host) ? '' : host;
  const secure = connectTls({ socket, host, servername, ciphers, ALPNProtocols: ['http/1.1'] });
  // A server may ask for the handshake again as often as it likes.
  secure.disableRenegotiation();
  secure.once('secureConnect', () => socket.secured());
  // The error of the connection, where it never was one, is that of the request.
  socket.on('error', (error) => secure.destroy(error));
  return secure;
}
