import type { CallId, OrgId } from '#domain/ids.ts';
import { findCallWithoutNotes } from '#server/calls/store.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import type { Services } from '#server/services.ts';
import { generateFromCall } from './generate.ts';

/** The page that ends a call requests them immediately. The job generates them only after this time. */
const patienceSeconds = 30;
const lookBackHours = 24;

const missing: Statement = {
  name: 'calls_without_action_items',
  text: 'select org_id as "orgId", call_id as "callId" from calls_without_action_items($1, $2, $3)',
};

interface Missing {
  orgId: OrgId;
  callId: CallId;
}

/**
 * Generates the action items of ended calls with notes, of any length, whose list is from before the end or missing:
 * for example, after a closed laptop.
 */
export function actionItemJobs(services: Services): void {
  // The analyzer may keep the call of an organization waiting for minutes.
  const inRounds = organizationRounds();
  services.jobs.define('action-items', { everyCron: '* * * * *' }, async () => {
    await generateMissing(services, new Date(), inRounds);
  });
}

/**
 * Organizations take turns. One whose call failed waits for the next run, so that its other calls
 * do not delay the organizations after it.
 * @returns the number of calls that got action items
 */
export async function generateMissing(
  services: Services,
  now: Date,
  each: typeof eachApart = eachApart,
): Promise<number> {
  const since = new Date(now.getTime() - lookBackHours * 3_600_000);
  const until = new Date(now.getTime() - patienceSeconds * 1000);
  const found = await services.database.background(({ run }) =>
    run<Missing>(missing, [since, until, 0]),
  );
  const failed = new Set<OrgId>();
  let made = 0;
  const work = async (one: Missing) => {
    if (failed.has(one.orgId)) return;
    if (await generateOne(services, one)) made += 1;
    else failed.add(one.orgId);
  };
  await each(services.log, found, work, 'the action items of a call were not generated');
  return made;
}

async function generateOne(services: Services, one: Missing): Promise<boolean> {
  const { database, log } = services;
  const { orgId, callId: id } = one;
  const tenant = tenantOf(database, { kind: 'system', name: 'action-items', orgId }, null);
  try {
    const by = { services, tenant, signal: new AbortController().signal };
    await generateFromCall(by, await findCallWithoutNotes(tenant, id), { which: 'missing' });
    return true;
  } catch (error) {
    log.warn({ err: error, callId: id }, 'the action items of a call could not be generated');
  }
  try {
    await noteFailure(tenant, id);
  } catch (error) {
    log.warn({ err: error, callId: id }, 'a failure of the analyzer could not be stored');
  }
  return false;
}

const failureOfCall: Statement = {
  name: 'action_item_failure',
  text: `insert into action_item_failures as f (org_id, call_id, tries, next_try_at)
    values ($1, $2, 1, now() + interval '4 minutes')
    on conflict (call_id) do update set tries = f.tries + 1,
      next_try_at = now() + interval '1 minute' * power(4, f.tries + 1)`,
};

/** Records a failure. The job tries the call again later, five times in all. */
async function noteFailure(tenant: Tenant, call: CallId): Promise<void> {
  await tenant.transaction(({ run }) => run(failureOfCall, [tenant.orgId, call]));
}
