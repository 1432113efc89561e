import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { createTransport } from 'nodemailer';
import type { Config } from '#server/config.ts';
import type { Finding } from './finding.ts';

const patienceMs = 5000;

/** Connects and signs in to the mail server, without sending a mail. */
export async function checkMail({ SMTP_URL, MAIL_FROM }: Config): Promise<Finding> {
  const what = 'Mail';
  if (!SMTP_URL) {
    const text = 'not set up: mails become files in DATA_DIR/outbox';
    return { what, state: 'warning', text, todo: 'Set SMTP_URL and MAIL_FROM to send them.' };
  }
  const transport = createTransport({ url: SMTP_URL, connectionTimeout: patienceMs });
  try {
    await transport.verify();
    const text = `${new URL(SMTP_URL).host} takes mails from ${MAIL_FROM}`;
    return { what, state: 'ok', text };
  } catch (error) {
    const todo = 'Check the address, user and password in SMTP_URL.';
    return { what, state: 'failed', text: reasonOf(error), todo };
  } finally {
    transport.close();
  }
}

export async function checkTurn({ STUN_URL, TURN_URL }: Config): Promise<Finding[]> {
  const urls = [STUN_URL, TURN_URL].flatMap((list) => list?.split(',') ?? []);
  if (!TURN_URL) {
    const text = STUN_URL
      ? 'no TURN server'
      : 'neither STUN nor TURN: calls reach one network only';
    const todo = 'Set TURN_URL and TURN_SECRET for people behind strict firewalls (README).';
    return [{ what: 'TURN', state: 'warning', text, todo }, ...(await askAll(urls))];
  }
  return askAll(urls);
}

const askAll = (urls: string[]) => Promise.all(urls.map((url) => checkRelay(url.trim())));

async function checkRelay(url: string): Promise<Finding> {
  const [, scheme = '', host = '', port] =
    /^(\w+):\[?([\w.:-]*?)\]?(?::(\d+))?(?:\?|$)/.exec(url) ?? [];
  const isSecure = /^(stuns|turns)$/.test(scheme);
  const number = Number(port ?? (isSecure ? 5349 : 3478));
  try {
    if (isSecure || url.includes('transport=tcp')) await opensTcp(host, number);
    else await answersStun(host, number);
    return { what: url, state: 'ok', text: 'answers' };
  } catch (error) {
    const todo = 'Check that it runs, and that its firewall lets this machine in.';
    return { what: url, state: 'failed', text: reasonOf(error), todo };
  }
}

async function opensTcp(host: string, port: number): Promise<void> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patienceMs) });
  } finally {
    socket.destroy();
  }
}

/** Sends a Binding request (RFC 8489), which STUN and TURN servers answer without a password. */
async function answersStun(host: string, port: number): Promise<void> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  const request = Buffer.alloc(20);
  request.writeUInt16BE(0x0001, 0);
  request.writeUInt32BE(0x2112a442, 4);
  crypto.getRandomValues(request.subarray(8));
  try {
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(patienceMs) });
    socket.send(request, port, host);
    await answered;
  } finally {
    socket.close();
  }
}

export async function checkRedis({ REDIS_URL }: Config): Promise<Finding> {
  const what = 'Redis';
  if (!REDIS_URL) return { what, state: 'ok', text: 'not set up: a single process needs none' };
  const redis = new Redis(REDIS_URL, {
    lazyConnect: true,
    connectTimeout: patienceMs,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return { what, state: 'ok', text: 'answers' };
  } catch (error) {
    const todo = 'Start it, or check the address in REDIS_URL.';
    return { what, state: 'failed', text: reasonOf(error), todo };
  } finally {
    redis.disconnect();
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'AbortError' ? 'does not answer' : error.message || error.name;
}
