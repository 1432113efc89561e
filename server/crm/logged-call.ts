import { mostActionItems } from '#domain/action-items/contract.ts';
import { type LoggedCall, type LoggedItem, mostNotesForCrm } from '#domain/crm/call-text.ts';
import type { CallId } from '#domain/ids.ts';
import { readCallWithStartOfNotes } from '#server/calls/store.ts';
import { hasHeldWords } from '#server/consent/held-words.ts';
import { findInsights } from '#server/insights/store.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** Of one call. The rest stays here. */
const mostTasks = 100;

// $3: without those that were made of what someone said.
const items = `select id, title, description, priority, to_char(due_on, 'YYYY-MM-DD') as "dueOn",
    completed_at is not null as "isCompleted"
  from action_items where org_id = $1 and call_id = $2 and not ($3 and cited_line_id is not null)`;
const itemsOfCall: Statement = {
  name: 'action_items_for_crm',
  text: `${items} order by position limit ${Math.min(mostTasks, mostActionItems)}`,
};
const itemOfCall: Statement = { name: 'action_item_for_crm', text: `${items} and id = $4` };

/** Of the call's page. */
export const urlOf = (home: string, id: CallId) => `${home}/app/calls/${id}`;

/**
 * Returns a call as CRMs get it, and whether a guest was in it.
 * @param home the address of the installation
 * @throws DomainError 404
 */
export async function readLoggedCall(
  at: TenantConnection,
  id: CallId,
  home: string,
): Promise<{ call: LoggedCall; items: LoggedItem[]; isInternal: boolean }> {
  const row = await readCallWithStartOfNotes(at, id, mostNotesForCrm);
  const isHeld = await hasHeldWords(at, id);
  const { insights } = await findInsights(at, id);
  const items = await at.run<LoggedItem & Record<string, unknown>>(itemsOfCall, [
    ...[at.tenant.orgId, id, isHeld],
  ]);
  return {
    call: {
      id,
      topic: row.room.topic,
      url: urlOf(home, id),
      startedAt: new Date(row.startedAt),
      durationSec: row.durationSec,
      notes: row.notesSnapshot,
      score: row.npsScore,
      scoreFeedback: row.npsFeedback,
      summary: isHeld ? null : (insights?.summary?.map(({ text }) => text) ?? null),
    },
    items,
    isInternal: row.internal === true,
  };
}

/** Returns an item as it is now; null if it is gone. */
export async function readLoggedItem(
  at: TenantConnection,
  call: CallId,
  id: string,
): Promise<LoggedItem | null> {
  const values = [at.tenant.orgId, call, await hasHeldWords(at, call), id];
  const [item] = await at.run<LoggedItem & Record<string, unknown>>(itemOfCall, values);
  return item ?? null;
}
