import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError, invalid } from '#domain/errors.ts';
import type { ApiTokenId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import { Allowance } from '#server/platform/allowance.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { hashToken } from '#server/platform/tokens.ts';

/** Also in `sealedColumns` of server/operator/sealed-columns.ts. */
const purpose = 'api-answer';
/** For so long, a key is answered as before. */
export const keptAnswersHours = 24;
const longestKey = 255;
/** Of an organization: keys, and characters of the answers that are kept for them. */
const keys = new Allowance({ burst: 50_000, perSecond: 10 });
const kept = new Allowance({ burst: 50_000_000, perSecond: 2_000 });
/** A longer answer can be read again at any time: it contains what others have stored. */
const longestKept = 64_000;
/** What is stored in place of an answer that is not kept. */
const notKept = '';
const answerId = z.uuid();

/** Answers of an earlier generation are forgotten (server/consent/forget-kept-answers.ts). */
const generation =
  '(select coalesce(sum(erasures), 0) from api_answer_erasures where org_id = $1)::bigint';

/** Takes the key, also one that has expired. */
const takeKey: Statement = {
  name: 'take_idempotency_key',
  text: `insert into api_answers as a (org_id, id, token_id, key_hash, request_hash, generation)
    values ($1, $2, $3, $4, $5, ${generation})
    on conflict (token_id, key_hash) do update set id = excluded.id, request_hash = excluded.request_hash,
      created_at = now(), answer_sealed = null, generation = excluded.generation
    where a.created_at < now() - interval '${keptAnswersHours} hours'
    returning id`,
};
const findAnswer: Statement = {
  name: 'find_api_answer',
  text: `select id, request_hash as "requestHash", answer_sealed as "answerSealed",
      generation < ${generation} as "isForgotten"
    from api_answers where org_id = $1 and token_id = $2 and key_hash = $3`,
};
const keepAnswer: Statement = {
  name: 'keep_api_answer',
  text: `update api_answers set answer_sealed = $3 where org_id = $1 and id = $2 and generation = ${generation}`,
};
const giveKeyBack: Statement = {
  name: 'give_idempotency_key_back',
  text: 'delete from api_answers where org_id = $1 and id = $2',
};

interface Answered {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}
interface Asked {
  tenant: Tenant;
  tokenId: ApiTokenId;
  secrets: Secrets;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Runs a request with an `Idempotency-Key` once, and answers it again as before (IETF
 * draft-ietf-httpapi-idempotency-key-header). What was refused changed nothing, and may be sent again.
 * @throws DomainError 400 for a malformed key, 409 while the first request is in progress and where its answer was too
 *   long to keep or was forgotten, 422 for another request, 429
 */
export async function answerOnce<A extends Answered>(
  asked: Asked,
  run: () => Promise<A>,
): Promise<A> {
  const { tenant, tokenId, secrets, request, reply } = asked;
  const key = keyOf(request);
  if (key === null) return run();
  const { orgId } = tenant;
  const id = newId(answerId);
  const waitMs = keys.take(orgId, 1);
  if (waitMs > 0) throw tooManyKeys(waitMs);
  const requestHash = hashOf(request);
  const keyHash = hashToken(key);
  const isFirst = await tenant.connection(
    async ({ run }) => (await run(takeKey, [orgId, id, tokenId, keyHash, requestHash])).length > 0,
  );
  if (!isFirst) {
    const stored = await findStored(tenant, [orgId, tokenId, keyHash], requestHash);
    reply.header('idempotency-replayed', 'true');
    // Sealed by this function, from an answer of the same request.
    const text = unseal(secrets, purpose, stored.id, stored.answerSealed);
    if (text === notKept) throw answerNotKept();
    return JSON.parse(text) as A;
  }
  const end = (statement: Statement, ...values: string[]) =>
    tenant.connection(({ run }) => run(statement, [orgId, id, ...values]));
  const answer = await run().catch(async (error: unknown): Promise<never> => {
    await end(giveKeyBack);
    throw error;
  });
  const text = JSON.stringify(answer);
  const isKept = text.length <= longestKept && kept.take(orgId, text.length) === 0;
  // What was done stays done: if this fails, the key must not allow it again.
  await end(keepAnswer, seal(secrets, purpose, id, isKept ? text : notKept));
  return answer;
}

interface StoredAnswer {
  id: string;
  requestHash: Buffer;
  answerSealed: string | null;
  isForgotten: boolean;
}

async function findStored(tenant: Tenant, values: unknown[], requestHash: Buffer) {
  const [found] = await tenant.connection(({ run }) =>
    run<StoredAnswer & Record<string, unknown>>(findAnswer, values),
  );
  if (found && !found.requestHash.equals(requestHash)) {
    throw new DomainError(
      'unprocessable',
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another request. Use a new key.',
    );
  }
  if (found?.isForgotten) throw answerForgotten();
  if (!found || found.answerSealed === null) {
    throw new DomainError(
      'conflict',
      'idempotency_key_in_progress',
      'The first request with this Idempotency-Key is still in progress.',
      { retryAfterSeconds: 1 },
    );
  }
  return { id: found.id, answerSealed: found.answerSealed };
}

const answerNotKept = () =>
  new DomainError(
    'conflict',
    'idempotency_answer_not_kept',
    'The first request with this Idempotency-Key succeeded, and its answer was too long to keep. Read what it made.',
  );

const answerForgotten = () =>
  new DomainError(
    'conflict',
    'idempotency_answer_forgotten',
    'The first request with this Idempotency-Key ran. Its answer was forgotten, because data of a person were erased since. Read what it made.',
  );

const tooManyKeys = (waitMs: number) =>
  new DomainError(
    'too_many',
    'too_many_keys',
    'Your organization sent too many Idempotency-Keys today. Wait a moment, or send fewer requests.',
    { retryAfterSeconds: Math.ceil(waitMs / 1000) },
  );

/** Returns the key, with or without the quotation marks of a structured header; null without one. */
function keyOf({ headers }: FastifyRequest): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const key = typeof given === 'string' ? given.replace(/^"(.*)"$/, '$1') : '';
  if (key.length >= 1 && key.length <= longestKey) return key;
  throw invalid(
    'idempotency_key_malformed',
    `Use an Idempotency-Key of 1 to ${longestKey} characters.`,
  );
}

const hashOf = ({ method, url, body }: FastifyRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([method, url, body]))
    .digest();
