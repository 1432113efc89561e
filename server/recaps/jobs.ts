import type { Services } from '#server/services.ts';
import { mailRecaps } from './mail-recaps.ts';

export function recapJobs(services: Services): void {
  services.jobs.define('recaps', { everyCron: '* * * * *' }, async () => {
    await mailRecaps(services);
  });
}
