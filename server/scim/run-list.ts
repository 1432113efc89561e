import { ScimError } from '#domain/scim/error.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isTimedOut } from '#server/platform/database-errors.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { ListQuery } from './list-query.ts';

/**
 * A search reads all of a directory's resources, so each organization runs one at a time, and all together a
 * few.
 */
const searches = new FairQueue({ atOnce: 6, perKey: 1, mostWaiting: 50 });
const longestSearchMs = 5_000;
const searchSeconds: Statement = {
  name: 'scim_search_seconds',
  text: `select set_config('statement_timeout', '${longestSearchMs}', true)`,
};

/**
 * Reads a list. A search waits for its turn, and each of its statements may take five seconds. Organizations
 * whose searches exceeded this come after all others.
 * @throws ScimError 400 tooMany if it takes too long; DomainError 429 if too many searches wait
 */
export async function runList<T>(
  tenant: Tenant,
  { isSearch }: ListQuery,
  read: (at: TenantConnection) => Promise<T>,
): Promise<T> {
  if (!isSearch) return tenant.connection(read);
  const timed = async <R>(work: () => Promise<R>): Promise<R> => {
    const beganAt = performance.now();
    try {
      return await work();
    } catch (error) {
      throw isTimedOut(error) ? tooMany() : error;
    } finally {
      if (performance.now() - beganAt >= longestSearchMs) searches.overran(tenant.orgId);
    }
  };
  const search = async (tx: TenantConnection) => {
    await tx.run(searchSeconds, []);
    return read(tx);
  };
  // Joins the queue after taking one of the organization's own connection turns, so that no shared place is
  // held while waiting for one.
  return tenant.transaction(search, {
    through: (work) => searches.run(tenant.orgId, () => timed(work)),
  });
}

const tooMany = () =>
  new ScimError(
    400,
    'This search takes too long. Narrow the filter, or ask without it.',
    'tooMany',
  );
