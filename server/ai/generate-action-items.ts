import type { ActionItem, Analyzer } from '#domain/ai/contract.ts';
import type { Call } from '#domain/calls/contract.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Conversation, ConversationAnalyzer } from '#server/providers/ai/port.ts';
import { findActionItems, keepActionItems } from './store.ts';

interface Generated {
  actionItems: ActionItem[];
  analyzer: Analyzer;
}

/**
 * Returns the action items of a call. While it runs they are a preview, and not stored. Once it has
 * ended they are generated once: later and concurrent requests get the stored ones.
 */
export async function generateActionItems(
  analyzer: ConversationAnalyzer,
  tenant: Tenant,
  call: Pick<Call, 'id' | 'endedAt'>,
  conversation: Conversation,
): Promise<Generated> {
  const kept = call.endedAt ? await findActionItems(tenant, call.id) : null;
  if (kept) return kept;
  // No connection is held meanwhile, because an analyzer may take long.
  const actionItems = await analyzer.findActionItems(conversation);
  const generated = { actionItems, analyzer: analyzer.analyzer };
  if (!call.endedAt) return generated;
  await keepActionItems(tenant, call.id, generated.analyzer, actionItems);
  return (await findActionItems(tenant, call.id)) ?? generated;
}
