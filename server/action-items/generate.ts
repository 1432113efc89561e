import { type ActionItem, longestConversation } from '#domain/ai/contract.ts';
import { lastCharacters } from '#domain/ai/rules.ts';
import type { Call } from '#domain/calls/contract.ts';
import { conversationOfCall } from '#server/ai/conversation-of-call.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { ConversationAnalyzer } from '#server/providers/ai/port.ts';
import { keepGenerated } from './keep-generated.ts';
import { generatedAt } from './store.ts';

/**
 * Generates the action items of a call from the server's own copy of its notes, and stores them.
 * @param which as in `keepGenerated`
 * @param timeZone in which the notes say "Friday", UTC by default
 * @throws AnalyzerError
 */
export async function generateFromNotes(
  ai: ConversationAnalyzer,
  tenant: Tenant,
  call: Call,
  { which, timeZone }: { which: 'missing' | 'again'; timeZone?: string | null | undefined },
): Promise<void> {
  const text = notesOf(call);
  // No connection is held meanwhile, because an analyzer may take long.
  const items =
    text.trim() === ''
      ? []
      : await ai.findActionItems(conversationOfCall(tenant.orgId, call, text, { timeZone }));
  await keepGenerated(tenant, call, ai.analyzer, items, which);
}

/**
 * Stores what a page was answered: the items of the stored notes, which are mostly the text that was sent. Once a
 * call has ended, its list is generated once.
 * @throws AnalyzerError
 */
export async function keepAnswered(
  ai: ConversationAnalyzer,
  tenant: Tenant,
  call: Call,
  answered: {
    text: string;
    actionItems: readonly ActionItem[];
    timeZone?: string | null | undefined;
  },
): Promise<void> {
  const notes = notesOf(call);
  if (notes.trim() === '') return;
  if (call.endedAt !== null) {
    const generated = await generatedAt(tenant, call.id);
    if (generated !== null && generated >= call.endedAt) return;
  }
  if (answered.text.trim() === notes.trim())
    await keepGenerated(tenant, call, ai.analyzer, answered.actionItems, 'missing');
  else await generateFromNotes(ai, tenant, call, { which: 'missing', timeZone: answered.timeZone });
}

const notesOf = ({ notesSnapshot }: Call): string =>
  lastCharacters(notesSnapshot ?? '', longestConversation);
