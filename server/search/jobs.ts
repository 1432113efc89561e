import type { CallId, OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import type { Services } from '#server/services.ts';
import { forgetWords } from './forget-words.ts';

/** Calls of an organization that are looked for at a time, and of all. */
const ofOrganization = 5;
const inAll = 50;
/** Of the minute until the job runs again. */
const longestRunMs = 40_000;

const toIndex: Statement = {
  name: 'search_calls_to_index',
  text: 'select org_id as "orgId", call_id as "callId" from search_calls_to_index($1, $2)',
};
const indexCall: Statement = {
  name: 'search_index_call',
  text: 'select search_index_call($1, $2) as "isIndexed"',
};
const tryLater: Statement = {
  name: 'search_index_later',
  text: `update search_pending set next_try_at = now() + interval '1 hour' where org_id = $1 and call_id = $2`,
};

interface Pending {
  orgId: OrgId;
  callId: CallId;
}

/**
 * Indexes the notes of ended calls, and what is from before there was an index, and forgets words that no text has any
 * more.
 */
export function searchJobs(services: Services): void {
  const inRounds = organizationRounds();
  services.jobs.define('search-index', { everyCron: '* * * * *' }, async () => {
    await indexPendingTexts(services, inRounds);
  });
  services.jobs.define('search-forget-words', { everyCron: '* * * * *' }, async () => {
    await forgetWords(services);
  });
}

/**
 * Indexes what waits, organizations in turn, one call in each statement: a call's notes cannot be changed meanwhile.
 * One that fails is tried again an hour later.
 */
export async function indexPendingTexts(
  { database, log }: Pick<Services, 'database' | 'log'>,
  each: typeof eachApart = eachApart,
): Promise<void> {
  const startedAt = performance.now();
  const index = async ({ orgId, callId }: Pending) => {
    const tenant = tenantOf(database, { kind: 'system', name: 'search-index', orgId }, null);
    const values = [orgId, callId];
    try {
      const [row] = await tenant.connection(({ run }) =>
        run<{ isIndexed: boolean }>(indexCall, values),
      );
      if (row?.isIndexed) indexed += 1;
    } catch (error) {
      await tenant.connection(({ run }) => run(tryLater, values));
      throw error;
    }
  };
  let indexed = 0;
  do {
    indexed = 0;
    const due = await database.background(({ run }) =>
      run<Pending & Record<string, unknown>>(toIndex, [ofOrganization, inAll]),
    );
    await each(log, due, index, 'a call could not be indexed');
  } while (indexed > 0 && performance.now() - startedAt < longestRunMs);
}
