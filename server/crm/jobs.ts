import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';

const forget: Statement = { name: 'forget_crm_flows', text: 'select forget_crm_flows()' };

/** Deletes authorizations that no one has finished. */
export function crmJobs({ jobs, database }: Services): void {
  jobs.define('crm-forget', { everyCron: '27 3 * * *' }, async () => {
    await database.connection('outside', ({ run }) => run(forget, []));
  });
}
