import { organizationRounds } from '#server/platform/organization-rounds.ts';
import type { Services } from '#server/services.ts';
import { mailRecaps } from './mail-recaps.ts';

export function recapJobs(services: Services): void {
  const inRounds = organizationRounds();
  services.jobs.define('recaps', { everyCron: '* * * * *' }, async () => {
    await mailRecaps(services, inRounds);
  });
}
