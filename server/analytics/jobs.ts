import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import type { Services } from '#server/services.ts';
import { countOlderCalls, foldAnalytics } from './count-calls.ts';

const organizationsToFold: Statement = {
  name: 'organizations_to_fold',
  text: 'select org_id as "orgId", is_counted as "isCounted" from organizations_to_fold()',
};

interface ToFold {
  orgId: OrgId;
  isCounted: boolean;
}

/** Keeps the sums that analytics reads: every minute, what has changed since is added to them. */
export function analyticsJobs(services: Services): void {
  const inRounds = organizationRounds();
  services.jobs.define('analytics', { everyCron: '* * * * *' }, () =>
    foldAnalyticsEverywhere(services, inRounds),
  );
}

/** Organizations whose calls were never counted come last, because that may take minutes. */
export async function foldAnalyticsEverywhere(
  { database, log }: Pick<Services, 'database' | 'log'>,
  each: typeof eachApart = eachApart,
): Promise<void> {
  const found = await database.connection('outside', ({ run }) =>
    run<ToFold>(organizationsToFold, []),
  );
  const work = async ({ orgId, isCounted }: ToFold) => {
    const tenant = tenantOf(database, { kind: 'system', name: 'analytics', orgId }, null);
    await (isCounted ? foldAnalytics(tenant) : countOlderCalls(tenant));
  };
  const inOrder = found.toSorted((a, b) => Number(b.isCounted) - Number(a.isCounted));
  await each(log, inOrder, work, 'the figures of an organization could not be kept');
}
