import type { OrgId } from '#domain/ids.ts';
import { keptDeliveriesDays } from '#domain/webhooks/contract.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { storedBytes } from '#server/platform/stored-bytes.ts';
import { untilFewer } from '#server/platform/until-fewer.ts';
import type { Services } from '#server/services.ts';

/** Events that one statement deletes, with their deliveries. */
const eventsAtOnce = 5000;

const forget: Statement = { name: 'forget_webhooks', text: 'select forget_webhooks($1, $2) as n' };

/** Of a delivery in the database, with its entries in indexes: 62,600 took 55 MB. */
const bytesOfDelivery = 900;
const minuteMs = 60_000;
const ofMinute: Statement = {
  name: 'webhook_deliveries_of_minute',
  text: 'select org_id as "orgId", deliveries from webhook_deliveries_of_minute($1)',
};

export function webhookJobs(services: Services): void {
  const { jobs, database } = services;
  jobs.define('webhooks-charge', { everyCron: '* * * * *' }, () =>
    chargeDeliveries(services, new Date(Math.floor(Date.now() / minuteMs) * minuteMs)),
  );
  jobs.define('webhooks-forget', { everyCron: '17 3 * * *' }, () =>
    forgetOldDeliveries(database, new Date()),
  );
}

/**
 * Counts the deliveries of the minute before `endsAt` as what their organizations have stored: a change is stored once
 * more for each webhook that is told of it.
 */
export async function chargeDeliveries(
  services: Pick<Services, 'database' | 'config' | 'log'>,
  endsAt: Date,
): Promise<void> {
  const made = await services.database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId; deliveries: number }>(ofMinute, [endsAt]),
  );
  const actor = { kind: 'system', name: 'webhooks-charge' } as const;
  for (const { orgId, deliveries } of made) {
    storedBytes(services).spend(
      { orgId, actor: { ...actor, orgId } },
      deliveries * bytesOfDelivery,
    );
  }
}

/** Deletes events, deliveries, and what receivers answered after `keptDeliveriesDays`, and expired secrets. */
export async function forgetOldDeliveries(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDeliveriesDays * 86_400_000);
  await untilFewer(database, forget, [before], eventsAtOnce);
}
