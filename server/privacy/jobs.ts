import type { Services } from '#server/services.ts';
import { deleteDueOrganizations } from './delete-organization.ts';
import { finishErasures } from './finish-erasures.ts';
import { forgetOldEverywhere } from './forget-old.ts';

export function privacyJobs(services: Services): void {
  services.jobs.define('retention', { everyCron: '11 4 * * *' }, () =>
    forgetOldEverywhere(services, new Date()),
  );
  services.jobs.define('organizations-delete', { everyCron: '7 * * * *' }, () =>
    deleteDueOrganizations(services),
  );
  services.jobs.define('erasures-finish', { everyCron: '* * * * *' }, () =>
    finishErasures(services),
  );
}
