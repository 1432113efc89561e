import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';

const monthsAhead = 4;
const makePartitions: Statement = {
  name: 'make_audit_partitions',
  text: `select make_audit_partitions(now()::date, ${monthsAhead})`,
};

/** Keeps the audit log's coming months ready. */
export function auditJobs({ database, jobs }: Services): void {
  const work = async () => {
    await database.read('outside', ({ run }) => run(makePartitions, []));
  };
  jobs.define('audit-make-partitions', { everyCron: '17 3 * * *' }, work);
}
