import { setTimeout as sleep } from 'node:timers/promises';
import type { CallId, OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { generate } from './generate.ts';
import { claim } from './store.ts';

/** The last phrases of a call are stored after its end. */
const patienceSeconds = 30;
const lookBackHours = 24;
const patienceMs = 1_000;

const missing: Statement = {
  name: 'calls_without_insights',
  text: 'select org_id as "orgId", call_id as "callId" from calls_without_insights($1, $2)',
};

interface Missing {
  orgId: OrgId;
  callId: CallId;
}

/** Generates the insights of ended calls that have notes or a transcript. */
export function insightJobs(services: Services): void {
  const working = new Set<OrgId>();
  services.jobs.define('insights', { everyCron: '* * * * *' }, async () => {
    const generated = generateMissingInsights(services, new Date(), working);
    // The model of an organization may keep its calls waiting for minutes. They go on in the background.
    await Promise.race([generated, sleep(patienceMs, undefined, { ref: false })]);
  });
}

/**
 * Handles the calls of an organization one after the other, and organizations side by side.
 * @param working organizations that a former run still handles, which are left out
 * @returns the number of calls that got insights
 */
export async function generateMissingInsights(
  services: Services,
  now: Date,
  working: Set<OrgId> = new Set(),
): Promise<number> {
  const since = new Date(now.getTime() - lookBackHours * 3_600_000);
  const until = new Date(now.getTime() - patienceSeconds * 1000);
  const due = await services.database.background(({ run }) =>
    run<Missing>(missing, [since, until]),
  );
  const organizations = [...Map.groupBy(due, ({ orgId }) => orgId)];
  const made = organizations.map(async ([orgId, calls]) => {
    if (working.has(orgId)) return 0;
    working.add(orgId);
    const results: boolean[] = [];
    for (const one of calls) results.push(await generateOne(services, one));
    working.delete(orgId);
    return results.filter(Boolean).length;
  });
  return (await Promise.all(made)).reduce((sum, count) => sum + count, 0);
}

async function generateOne(services: Services, { orgId, callId }: Missing): Promise<boolean> {
  const actor = { kind: 'system', name: 'insights', orgId } as const;
  const tenant = tenantOf(services.database, actor, null);
  try {
    if (!(await claim(tenant, callId))) return false;
  } catch (error) {
    services.log.warn({ err: error, callId }, 'the insights of a call were not begun');
    return false;
  }
  return generate(services, tenant, callId, { signal: new AbortController().signal });
}
