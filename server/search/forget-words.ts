import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import type { Services } from '#server/services.ts';

/** Of PostgreSQL, for an organization at a time. */
const turnMs = 200;
/** Turns of an organization in a run, which is 4 s of a minute. */
const mostTurns = 20;
/** Of the minute until the job runs again. */
const longestRunMs = 20_000;

const inDoubt: Statement = {
  name: 'search_organizations_in_doubt',
  text: 'select org_id as "orgId" from search_organizations_in_doubt()',
};
const forget: Statement = {
  name: 'search_forget_words',
  text: 'select search_forget_words($1, $2) as "hasMore"',
};

/**
 * Removes words of deleted and corrected texts that no other text has from the list of words for corrections,
 * organizations in turn. What one organization has in doubt beyond its turns waits for the next run.
 */
export async function forgetWords({
  database,
  log,
}: Pick<Services, 'database' | 'log'>): Promise<void> {
  const endsAt = performance.now() + longestRunMs;
  let due = await database.background(({ run }) =>
    run<{ orgId: OrgId } & Record<string, unknown>>(inDoubt, []),
  );
  for (let turn = 0; turn < mostTurns && due.length > 0 && performance.now() < endsAt; turn += 1) {
    const more: typeof due = [];
    const takeTurn = async (one: (typeof due)[number]) => {
      const { orgId } = one;
      const tenant = tenantOf(database, { kind: 'system', name: 'search-words', orgId }, null);
      const [row] = await tenant.connection(({ run }) =>
        run<{ hasMore: boolean }>(forget, [orgId, turnMs]),
      );
      if (row?.hasMore) more.push(one);
    };
    await eachApart(log, due, takeTurn, 'words could not be forgotten');
    due = more;
  }
}
