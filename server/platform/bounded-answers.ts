import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccountId, ApiTokenId, OrgId, ScimTokenId } from '#domain/ids.ts';
import type { Config } from '#server/config.ts';
import type { RequestPace } from './access.ts';
import { AnswerReader, type Paces } from './answer-reader.ts';
import { AnswerTurns } from './answer-turns.ts';
import { mostBytesOf, sizeOf } from './body-size.ts';
import { organizationTime } from './organization-time.ts';
import { piecesOf } from './paced-streams.ts';
import { PacedTurns } from './paced-turns.ts';
import { lookMs, UnreadBytes } from './unread-bytes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before `boundAnswers`, and for WebSockets. A property, because WeakMaps make collections long. */
    answerReader: AnswerReader | null;
  }
}

/**
 * The most that unread answers may hold, of one address or organization and in total. A hundred
 * colleagues behind one address load 320 KB each at the same moment.
 */
const unreadBounds = { perKey: 32 * 1024 * 1024, inAll: 128 * 1024 * 1024 };
/** A longer answer is written in pieces, so that the server sees how fast the client reads it. */
const pieceBytes = 64 * 1024;
/** What no organization is charged for waits for its turn from this length on. */
const pacedFrom = 16 * 1024;
/** Bytes that all addresses without an account download together, scaled like the rate limits. */
const fileBytes = { burst: 4 * 1024 * 1024, perSecond: 16 * 1024 * 1024 };
/**
 * Bytes that all accounts and SCIM tokens of one organization have answered. What is above waits for its
 * turn, and is not refused.
 */
const organizationBytes = { burst: 4 * 1024 * 1024, perSecond: 4 * 1024 * 1024 };
/** Other requests of one organization. A page asks ten times when it opens, and then now and then. */
const organizationRequests = { burst: 100, perSecond: 100 };

/**
 * Bounds the cost of answers that clients do not read. An answer that is read too slowly ends with
 * its connection. So do the slowest where too many bytes wait for one address, one organization, or
 * in total. A stream (a download, a file) is produced only as fast as it is read, and as its organization or,
 * without an account, its address has its turn. So is a long answer that no organization is charged for.
 */
export function boundAnswers(http: FastifyInstance, config: Config, everyMs = lookMs): void {
  const unread = new UnreadBytes(unreadBounds, everyMs);
  const scale = config.RATE_LIMIT_SCALE;
  const paces: Paces = {
    answers: new AnswerTurns(
      { bytes: organizationBytes, requests: organizationRequests },
      organizationTime(config),
      scale,
    ),
    files: new PacedTurns(fileBytes, scale),
  };
  http.decorateRequest('answerReader', null);
  http.addHook('onRequest', async (request, reply) => {
    // WebSockets have their own bounds (calls/open-sockets.ts).
    if (request.ws) return;
    const reader = new AnswerReader(request, reply, paces);
    request.answerReader = reader;
    const stop = unread.watch(reader);
    reply.raw.once('close', () => {
      reader.close();
      stop();
    });
  });
  http.addHook('onSend', async (request, reply, payload) => {
    const reader = request.answerReader;
    if (payload instanceof Readable) {
      if (request.method !== 'HEAD') return reader ? reader.paced(payload) : payload;
      // Fastify would read it to its end, however long it is.
      payload.destroy();
      return '';
    }
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
      // An answer without a body may have been made all the same.
      reader?.spend(0);
      return payload;
    }
    const isCharged = reader?.isCharged ?? true;
    reader?.spend(Buffer.byteLength(payload));
    const wholeUpTo = isCharged ? pieceBytes : pacedFrom;
    if (payload.length <= wholeUpTo || request.method === 'HEAD') return payload;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    reader?.hold(bytes.length);
    unread.added(bytes.length);
    reply.header('content-length', bytes.length);
    const pieces = Readable.from(piecesOf(bytes), {
      objectMode: false,
      highWaterMark: pieceBytes,
    });
    return isCharged ? pieces : reader?.paced(pieces, 0);
  });
}

/**
 * Counts this request's answer for its organization: its unread bytes, and its length, by which the organization's
 * answers are paced. The accounts and SCIM tokens of an organization take turns.
 */
export function answerPaceOf(
  request: FastifyRequest,
  orgId: OrgId,
  who: AccountId | ScimTokenId | ApiTokenId,
): RequestPace {
  const reader = request.answerReader;
  reader?.countFor(orgId, who, `${request.method} ${request.routeOptions.url}`);
  return reader ?? unpaced;
}

/**
 * Waits until the organization may send this body. Short ones need no turn.
 * @param times how much more its bytes cost than those of other bodies
 * @throws DomainError 429
 */
export async function receiveBody(
  request: FastifyRequest,
  pace: RequestPace,
  times = 1,
): Promise<void> {
  if (sizeOf(request) !== 'short') await pace.receive(mostBytesOf(request) * times);
}

/** Of requests that did not pass through `boundAnswers`. */
const unpaced: RequestPace = {
  wait: async () => undefined,
  mustWait: () => false,
  receive: async () => undefined,
  worked: () => undefined,
};
