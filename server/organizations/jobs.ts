import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import type { Services } from '#server/services.ts';
import { forgetOldLogos, organizationsWithOldLogos } from './logo-store.ts';

/** Deletes replaced or removed logos whose deletion was interrupted. */
export async function forgetLeftLogos({ database, files, log }: Services): Promise<void> {
  const forget = (orgId: OrgId) => {
    const system = { kind: 'system' as const, name: 'logos-forget', orgId };
    return forgetOldLogos(tenantOf(database, system, null), files);
  };
  const found = (await organizationsWithOldLogos(database)).map((orgId) => ({ orgId }));
  await eachApart(log, found, ({ orgId }) => forget(orgId), 'old pictures could not be deleted');
}

export function logoJobs(services: Services): void {
  services.jobs.define('logos-forget', { everyCron: '23 3 * * *' }, () =>
    forgetLeftLogos(services),
  );
}
