import { tenantOf } from '#server/platform/access.ts';
import type { Services } from '#server/services.ts';
import { forgetOldPortraits, organizationsWithOldPortraits } from './portrait-store.ts';

/** Deletes portraits that are nobody's any more: replaced, removed, or of somebody who has left. */
export async function forgetLeftPortraits({ database, files }: Services): Promise<void> {
  for (const orgId of await organizationsWithOldPortraits(database)) {
    const system = { kind: 'system' as const, name: 'portraits-forget', orgId };
    await forgetOldPortraits(tenantOf(database, system, null), files);
  }
}

export function portraitJobs(services: Services): void {
  services.jobs.define('portraits-forget', { everyCron: '37 3 * * *' }, () =>
    forgetLeftPortraits(services),
  );
}
