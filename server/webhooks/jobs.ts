import { keptDeliveriesDays } from '#domain/webhooks/contract.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { untilFewer } from '#server/platform/until-fewer.ts';
import type { Services } from '#server/services.ts';

/** Events that one statement deletes, with their deliveries. */
const eventsAtOnce = 5000;

const forget: Statement = { name: 'forget_webhooks', text: 'select forget_webhooks($1, $2) as n' };

export function webhookJobs({ jobs, database }: Services): void {
  jobs.define('webhooks-forget', { everyCron: '17 3 * * *' }, () =>
    forgetOldDeliveries(database, new Date()),
  );
}

/** Deletes events, deliveries, and what receivers answered after `keptDeliveriesDays`, and expired secrets. */
export async function forgetOldDeliveries(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDeliveriesDays * 86_400_000);
  await untilFewer(database, forget, [before], eventsAtOnce);
}
