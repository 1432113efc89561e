import pg from 'pg';
import { z } from 'zod';
import {
  accountId,
  apiTokenId,
  callId,
  guestLinkId,
  orgId,
  participantId,
  roomId,
} from '#domain/ids.ts';
import type { Logger } from './log.ts';

/**
 * Notifications that the database's triggers send at commit (migrations 0023, 0034, 0035, 0036, 0054, 0085, and 0100): a
 * session, a membership or its role, or a guest link has ended or changed; an organization requires more of
 * all its members' sessions; the admissions of all its guests have ended, or those that a token of
 * the API gave; a room's lobby is switched on; a
 * room is archived; a host has removed a guest; or what may be captured of a call or a participant has changed.
 */
const revocation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), sessionId: z.uuid() }),
  z.object({ kind: z.literal('member'), orgId, accountId }),
  z.object({ kind: z.literal('guest-link'), guestLinkId }),
  z.object({ kind: z.literal('organization'), orgId }),
  z.object({ kind: z.literal('guests'), orgId }),
  z.object({ kind: z.literal('api-token'), orgId, tokenId: apiTokenId }),
  z.object({ kind: z.literal('lobby'), orgId, roomId }),
  z.object({ kind: z.literal('room'), orgId, roomId }),
  z.object({ kind: z.literal('removal'), orgId, participantId }),
  z.object({
    kind: z.literal('capture'),
    orgId,
    /** One of them is set. */
    callId: z.nullable(callId),
    participantId: z.nullable(participantId),
  }),
]);
/** `missed`: the connection was lost for a while, and any authority may have ended meanwhile. */
export type Revocation = z.infer<typeof revocation> | { kind: 'missed' };
/** Those that may end what a token of a hosted page grants. Who removes a guest has them sent out there, too. */
export type EndedAuthority = Exclude<Revocation, { kind: 'capture' | 'removal' }>;

/** Reports ended authority, whichever process or command ended it. */
export interface Revocations {
  /** Number of revocations received. A lookup made at a lower number may be out of date. */
  readonly count: number;
  /** Returns a function that stops listening. */
  subscribe(listen: (revocation: Revocation) => void): () => void;
  close(): Promise<void>;
}

const channel = 'revocations';
/** The connection's application name in pg_stat_activity. */
export const listenerName = 'rapport revocations';
const firstRetryMs = 100;
const longestRetryMs = 5_000;
/** A connection that died silently is detected by a query that gets no answer. */
const probeEveryMs = 5_000;
const probeTimeoutMs = 3_000;
const connectTimeoutMs = 10_000;

/**
 * Listens on a separate connection, which reconnects when it is lost.
 * @throws when the database refuses the connection at the start
 */
export async function openRevocations(login: pg.ClientConfig, log: Logger): Promise<Revocations> {
  const listener = new Listener(login, log);
  await listener.connect();
  return listener;
}

class Listener implements Revocations {
  readonly #login: pg.ClientConfig;
  readonly #log: Logger;
  readonly #listeners = new Set<(revocation: Revocation) => void>();
  #client: pg.Client | null = null;
  #probe: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #isClosed = false;
  #count = 0;

  constructor(login: pg.ClientConfig, log: Logger) {
    this.#login = login;
    this.#log = log;
  }

  get count(): number {
    return this.#count;
  }

  subscribe(listen: (revocation: Revocation) => void): () => void {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    clearInterval(this.#probe);
    await client?.end().catch(() => undefined);
  }

  async connect(): Promise<void> {
    const client = new pg.Client({
      ...this.#login,
      application_name: listenerName,
      keepAlive: true,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: probeTimeoutMs,
    });
    client.on('notification', ({ payload }) => this.#hear(payload));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, null));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    this.#retryMs = firstRetryMs;
    this.#probe = setInterval(() => {
      client.query('select 1').catch((error) => this.#lost(client, error));
    }, probeEveryMs).unref();
  }

  #hear(payload: string | undefined): void {
    const parsed = revocation.safeParse(parseJson(payload));
    if (parsed.success) this.#tell(parsed.data);
    else this.#log.error({ payload }, 'a revocation could not be read');
  }

  #tell(ended: Revocation): void {
    this.#count += 1;
    for (const listen of [...this.#listeners]) listen(ended);
  }

  #lost(client: pg.Client, error: Error | null): void {
    if (this.#client !== client) return;
    this.#client = null;
    clearInterval(this.#probe);
    client.end().catch(() => undefined);
    if (this.#isClosed) return;
    this.#log.warn({ err: error }, 'the connection that hears revocations was lost');
    this.#retrySoon();
  }

  #retrySoon(): void {
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => void this.#reconnect(), this.#retryMs).unref();
    this.#retryMs = Math.min(longestRetryMs, this.#retryMs * 2);
  }

  async #reconnect(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      this.#log.warn({ err: error }, 'revocations cannot be heard yet');
      this.#retrySoon();
      return;
    }
    if (this.#isClosed) await this.close();
    else this.#tell({ kind: 'missed' });
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
