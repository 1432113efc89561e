import { type ActionItem, longestConversation } from '#domain/ai/contract.ts';
import { lastCharacters } from '#domain/ai/rules.ts';
import type { CallId } from '#domain/ids.ts';
import { conversationOfCall } from '#server/ai/conversation-of-call.ts';
import { type CallWithoutNotes, readEndOfNotes } from '#server/calls/store.ts';
import type { Tenant } from '#server/platform/access.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { ConversationAnalyzer } from '#server/providers/ai/port.ts';
import { keepGenerated } from './keep-generated.ts';
import { generatedAt } from './store.ts';

/**
 * Notes are read when it is the organization's turn: those who wait hold none. More organizations than this are
 * analyzed at the same moment only if most wait for the analyzer.
 */
const turns = new FairQueue({ atOnce: 20, perKey: 1, mostWaiting: 50 });

/**
 * Generates the action items of a call from the server's own copy of its notes, and stores them.
 * @param which as in `keepGenerated`
 * @param timeZone in which the notes say "Friday", UTC by default
 * @throws AnalyzerError, and DomainError 429 when too many requests of the organization are waiting
 */
export function generateFromNotes(
  ai: ConversationAnalyzer,
  tenant: Tenant,
  call: CallWithoutNotes,
  { which, timeZone }: { which: 'missing' | 'again'; timeZone?: string | null | undefined },
): Promise<void> {
  return turns.run(tenant.orgId, async () => {
    const text = await readNotes(tenant, call.id);
    await generateFrom(text, ai, tenant, call, { which, timeZone });
  });
}

async function generateFrom(
  text: string,
  ai: ConversationAnalyzer,
  tenant: Tenant,
  call: CallWithoutNotes,
  { which, timeZone }: { which: 'missing' | 'again'; timeZone?: string | null | undefined },
): Promise<void> {
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
 * @throws as `generateFromNotes`
 */
export async function keepAnswered(
  ai: ConversationAnalyzer,
  tenant: Tenant,
  call: CallWithoutNotes,
  answered: {
    text: string;
    actionItems: readonly ActionItem[];
    timeZone?: string | null | undefined;
  },
): Promise<void> {
  const { text, actionItems, timeZone } = answered;
  await turns.run(tenant.orgId, async () => {
    const notes = await readNotes(tenant, call.id);
    if (notes.trim() === '') return;
    if (call.endedAt !== null) {
      const generated = await generatedAt(tenant, call.id);
      if (generated !== null && generated >= call.endedAt) return;
    }
    if (text.trim() === notes.trim())
      await keepGenerated(tenant, call, ai.analyzer, actionItems, 'missing');
    else await generateFrom(notes, ai, tenant, call, { which: 'missing', timeZone });
  });
}

const readNotes = async (tenant: Tenant, id: CallId): Promise<string> =>
  lastCharacters(await readEndOfNotes(tenant, id, longestConversation), longestConversation);
