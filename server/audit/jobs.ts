import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';

const monthsAhead = 4;
const makePartitions: Statement = {
  name: 'make_audit_partitions',
  text: `select make_audit_partitions(now()::date, ${monthsAhead})`,
};

/**
 * Makes the audit log's coming months ready: at every start too, since the rows of a month that was
 * not ready would keep its partition from being made.
 */
export async function makeAuditPartitions({ database }: Services): Promise<void> {
  await database.connection('outside', ({ run }) => run(makePartitions, []));
}

export function auditJobs(services: Services): void {
  services.jobs.define('audit-make-partitions', { everyCron: '17 3 * * *' }, () =>
    makeAuditPartitions(services),
  );
}
