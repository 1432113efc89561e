import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';

const monthsAhead = 4;
const makePartitions: Statement = {
  name: 'make_audit_partitions',
  text: `select make_audit_partitions(now()::date, ${monthsAhead})`,
};

/**
 * Creates the partitions of the coming months. It also runs at each start, because rows of a month without a
 * partition would prevent its creation. While a long transaction uses the log, nothing is made, and the next hour's run
 * tries again.
 */
export async function makeAuditPartitions({ database }: Services): Promise<void> {
  await database.connection('outside', ({ run }) => run(makePartitions, []));
}

export function auditJobs(services: Services): void {
  services.jobs.define('audit-make-partitions', { everyCron: '17 * * * *' }, () =>
    makeAuditPartitions(services),
  );
}
