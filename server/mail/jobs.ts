import type { Services } from '#server/services.ts';
import { forgetMailCounts } from './limits.ts';
import { forgetMails } from './store.ts';

const keptDays = 30;

/** Deletes mails after 30 days, and expired counts. */
export function mailJobs({ jobs, database }: Services): void {
  jobs.define('mails-forget', { everyCron: '41 3 * * *' }, async () => {
    await forgetMails(database, new Date(Date.now() - keptDays * 86_400_000));
    await database.connection('outside', forgetMailCounts);
  });
}
