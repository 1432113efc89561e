import type { FastifyReply } from 'fastify';
import { apiRate } from '#domain/api/rate.ts';
import { apiTokenRefused } from '#domain/api/refusals.ts';
import { DomainError } from '#domain/errors.ts';
import { Batches } from '#server/platform/batches.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { isForeignKeyViolation } from '#server/platform/database-errors.ts';
import type { Services } from '#server/services.ts';
import type { ApiCaller } from './admit-api-token.ts';

const { most, windowSeconds } = apiRate;
const mostTogether = 100;
const countUses: Statement = {
  name: 'count_api_uses',
  text: 'select counted, resets from count_api_uses($1, $2, $3, $4)',
};
type Counted = { counted: number; resets: number };

const counters = new WeakMap<Database, Batches<Pick<ApiCaller, 'orgId'>, Counted>>();

/**
 * Of one token, requests that arrive while others are counted are counted together. The count waits where the token is
 * being deleted, so it takes a part of its organization's connections, and none of those that look sessions up.
 */
function counterOf(database: Database) {
  const found = counters.get(database);
  if (found) return found;
  const made = new Batches<Pick<ApiCaller, 'orgId'>, Counted>(mostTogether, async (id, uses) => {
    const [first] = uses;
    if (!first) return [];
    const { orgId } = first;
    const values = [id, orgId, uses.length, windowSeconds];
    const [row] = await database
      .connection(orgId, ({ run }) => run<Counted>(countUses, values), { actorKey: id })
      .catch((error) => {
        // It was deleted since it was looked up.
        throw isForeignKeyViolation(error, 'api_token_uses_token_id_fkey')
          ? apiTokenRefused()
          : error;
      });
    const { counted = 0, resets = windowSeconds } = row ?? {};
    return uses.map((_, n) => ({ counted: counted - uses.length + n + 1, resets }));
  });
  counters.set(database, made);
  return made;
}

/**
 * Counts a request of a token, in all processes together, and tells what is left of its limit by the headers
 * `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers-10).
 * @throws DomainError 401 if the token was deleted meanwhile, 429
 */
export async function countUse(
  { database, config }: Pick<Services, 'database' | 'config'>,
  { tokenId, orgId }: ApiCaller,
  reply: FastifyReply,
): Promise<void> {
  const { counted, resets } = await counterOf(database).add(tokenId, { orgId });
  const quota = Math.floor(most * config.RATE_LIMIT_SCALE);
  const left = Math.max(0, quota - counted);
  reply.header('ratelimit-policy', `"token";q=${quota};w=${windowSeconds}`);
  reply.header('ratelimit', `"token";r=${left};t=${resets}`);
  if (counted <= quota) return;
  throw new DomainError(
    'too_many',
    'too_many_token_requests',
    `This API token was used too often. Please wait ${resets} seconds and try again.`,
    { retryAfterSeconds: resets },
  );
}
