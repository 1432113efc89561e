import type { OrgId } from '#domain/ids.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { syncCall } from './sync-call.ts';

/** In progress of a connection, by all processes: CRMs allow some ten requests per second. */
const mostPerConnection = 4;
/** In progress in this process. */
const mostAtOnce = 100;
/** A sync of a process that ended is made again after this time. Longer than a turn with its last requests. */
const leaseSeconds = 150;
const everySeconds = 1;
/** At a stop, syncs in progress are waited for so long; the rest are made again by the next process. */
const longestStopMs = 5000;

const takeDue: Statement = {
  name: 'take_due_crm_syncs',
  text: 'select id, org_id as "orgId", lease from take_due_crm_syncs($1, $2, $3)',
};

interface DueSync {
  id: string;
  orgId: OrgId;
  lease: string;
}

const takeDueSyncs = (database: Database, most: number): Promise<DueSync[]> =>
  database.background(({ run }) =>
    run<DueSync & Record<string, unknown>>(takeDue, [most, mostPerConnection, leaseSeconds]),
  );

/** Sends calls as they become due, in this process. Others may do the same. */
export function startSyncing(services: Services): Repeated {
  const inProgress = new Set<Promise<void>>();
  const begin = (sync: DueSync) => {
    const work = syncCall(services, sync)
      // It is due again after `leaseSeconds`.
      .catch((err) => services.log.warn({ err, syncId: sync.id }, 'a call was not sent to a CRM'))
      .finally(() => inProgress.delete(work));
    inProgress.add(work);
  };
  const failed = 'calls for CRMs could not be looked for';
  const looking = repeat({ everySeconds, log: services.log, failed }, async () => {
    const free = mostAtOnce - inProgress.size;
    if (free <= 0) return;
    for (const sync of await takeDueSyncs(services.database, free)) begin(sync);
  });
  return {
    stop: async () => {
      await looking.stop();
      const wait = new Promise((resolve) => setTimeout(resolve, longestStopMs).unref());
      await Promise.race([Promise.all(inProgress), wait]);
    },
  };
}

/** Sends what is due now, and waits for it; for tests. @returns the number of calls */
export async function syncDue(services: Services): Promise<number> {
  const taken = await takeDueSyncs(services.database, mostAtOnce);
  await Promise.all(taken.map((sync) => syncCall(services, sync)));
  return taken.length;
}
