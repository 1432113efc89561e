import { mostActionItems } from '#domain/action-items/contract.ts';
import type { LoggedCall, LoggedItem } from '#domain/crm/call-text.ts';
import type { CallId } from '#domain/ids.ts';
import { readCall } from '#server/calls/store.ts';
import { findInsights } from '#server/insights/store.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** Of one call. The rest stays here. */
const mostTasks = 100;

const itemsOfCall: Statement = {
  name: 'action_items_for_crm',
  text: `select id, title, description, priority, to_char(due_on, 'YYYY-MM-DD') as "dueOn",
      completed_at is not null as "isCompleted"
    from action_items where org_id = $1 and call_id = $2
    order by position limit ${Math.min(mostTasks, mostActionItems)}`,
};

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
  const row = await readCall(at, id);
  const { insights } = await findInsights(at, id);
  const items = await at.run<LoggedItem & Record<string, unknown>>(itemsOfCall, [
    at.tenant.orgId,
    id,
  ]);
  return {
    call: {
      id,
      topic: row.room.topic,
      url: `${home}/app/calls/${id}`,
      startedAt: new Date(row.startedAt),
      durationSec: row.durationSec,
      notes: row.notesSnapshot,
      score: row.npsScore,
      scoreFeedback: row.npsFeedback,
      summary: insights?.summary?.map(({ text }) => text) ?? null,
    },
    items,
    isInternal: row.internal === true,
  };
}
