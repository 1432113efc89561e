import type { Services } from '#server/services.ts';
import { deleteDiscardedFiles, deleteOrphans } from './discarded-files.ts';
import { deleteSpareParts, forgetParts } from './join/spare-parts.ts';

/** Joining is repeated more often than a job can be (join/join-due.ts). */
export function recordingJobs(services: Services): void {
  services.jobs.define('recordings-parts', { everyCron: '* * * * *' }, () =>
    deleteSpareParts(services),
  );
  services.jobs.define('recordings-files', { everyCron: '* * * * *' }, () =>
    deleteDiscardedFiles(services),
  );
  services.jobs.define('recordings-orphans', { everyCron: '17 2 * * *' }, async () => {
    await forgetParts(services.database);
    await deleteOrphans(services);
  });
}
