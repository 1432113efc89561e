import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import type { Services } from '#server/services.ts';
import { forgetOldPortraits, organizationsWithOldPortraits } from './portrait-store.ts';

/** Deletes unused portraits: replaced, removed, or of former members. */
export async function forgetLeftPortraits({ database, files, log }: Services): Promise<void> {
  const forget = (orgId: OrgId) => {
    const system = { kind: 'system' as const, name: 'portraits-forget', orgId };
    return forgetOldPortraits(tenantOf(database, system, null), files);
  };
  const found = (await organizationsWithOldPortraits(database)).map((orgId) => ({ orgId }));
  await eachApart(log, found, ({ orgId }) => forget(orgId), 'old pictures could not be deleted');
}

export function portraitJobs(services: Services): void {
  services.jobs.define('portraits-forget', { everyCron: '37 3 * * *' }, () =>
    forgetLeftPortraits(services),
  );
}
