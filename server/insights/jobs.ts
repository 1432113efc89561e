import pMap from 'p-map';
import type { CallId, OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { generate } from './generate.ts';
import { claim } from './store.ts';

/** The last phrases of a call are stored after its end. */
const patienceSeconds = 30;
const lookBackHours = 24;
/** Requests to models take turns between organizations, so that some calls at the same time delay none of them. */
const atOnce = 4;

const missing: Statement = {
  name: 'calls_without_insights',
  text: 'select org_id, call_id from calls_without_insights($1, $2)',
};

interface Missing {
  org_id: OrgId;
  call_id: CallId;
}

/** Generates the insights of ended calls that have notes or a transcript. */
export function insightJobs(services: Services): void {
  services.jobs.define('insights', { everyCron: '* * * * *' }, async () => {
    await generateMissingInsights(services, new Date());
  });
}

/** @returns the number of calls that got insights */
export async function generateMissingInsights(services: Services, now: Date): Promise<number> {
  const since = new Date(now.getTime() - lookBackHours * 3_600_000);
  const until = new Date(now.getTime() - patienceSeconds * 1000);
  const due = await services.database.connection('outside', ({ run }) =>
    run<Missing>(missing, [since, until]),
  );
  const made = await pMap(due, (one) => generateOne(services, one), { concurrency: atOnce });
  return made.filter(Boolean).length;
}

async function generateOne(services: Services, { org_id, call_id }: Missing): Promise<boolean> {
  const actor = { kind: 'system', name: 'insights', orgId: org_id } as const;
  const tenant = tenantOf(services.database, actor, null);
  try {
    if (!(await claim(tenant, call_id))) return false;
  } catch (error) {
    services.log.warn({ err: error, callId: call_id }, 'the insights of a call were not begun');
    return false;
  }
  return generate(services, tenant, call_id, { signal: new AbortController().signal });
}
