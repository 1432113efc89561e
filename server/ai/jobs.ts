import { longestConversation } from '#domain/ai/contract.ts';
import { actionItemsAfterCharacters, lastCharacters } from '#domain/ai/rules.ts';
import type { CallId, OrgId } from '#domain/ids.ts';
import { findCall } from '#server/calls/store.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { conversationOfCall } from './conversation-of-call.ts';
import { generateActionItems } from './generate-action-items.ts';

/** The page that ends a call asks at once; only after this long do we do it for it. */
const patienceSeconds = 30;
const lookBackHours = 24;

const missing: Statement = {
  name: 'calls_without_action_items',
  text: 'select org_id, call_id from calls_without_action_items($1, $2, $3)',
};

/** Whoever ended a call, a closed laptop included, it gets its action items. */
export function actionItemJobs(services: Services): void {
  services.jobs.define('action-items', { everyCron: '* * * * *' }, async () => {
    await generateMissing(services, new Date());
  });
}

/** @returns how many calls got theirs */
export async function generateMissing(services: Services, now: Date): Promise<number> {
  const { database, ai, log } = services;
  const since = new Date(now.getTime() - lookBackHours * 3_600_000);
  const until = new Date(now.getTime() - patienceSeconds * 1000);
  const found = await database.read('outside', ({ run }) =>
    run<{ org_id: OrgId; call_id: CallId }>(missing, [since, until, actionItemsAfterCharacters]),
  );
  let made = 0;
  for (const { org_id: orgId, call_id: id } of found) {
    const tenant = tenantOf(database, { kind: 'system', name: 'action-items', orgId }, null);
    try {
      const call = await findCall(tenant, id);
      const text = lastCharacters(call.notesSnapshot ?? '', longestConversation);
      await generateActionItems(ai, tenant, call, conversationOfCall(call, text));
      made += 1;
    } catch (error) {
      // One call that cannot be read keeps none of the others from theirs; it is tried again.
      log.warn({ err: error, callId: id }, 'the action items of a call could not be generated');
    }
  }
  return made;
}
