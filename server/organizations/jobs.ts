import { tenantOf } from '#server/platform/access.ts';
import type { Services } from '#server/services.ts';
import { forgetOldLogos, organizationsWithOldLogos } from './logo-store.ts';

/** Deletes logos that were replaced or removed, where that was interrupted. */
export async function forgetLeftLogos({ database, files }: Services): Promise<void> {
  for (const orgId of await organizationsWithOldLogos(database)) {
    const system = { kind: 'system' as const, name: 'logos-forget', orgId };
    await forgetOldLogos(tenantOf(database, system, null), files);
  }
}

export function logoJobs(services: Services): void {
  services.jobs.define('logos-forget', { everyCron: '23 3 * * *' }, () =>
    forgetLeftLogos(services),
  );
}
