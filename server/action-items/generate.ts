import { type ActionItem, type Analyzer, longestConversation } from '#domain/ai/contract.ts';
import { lastCharacters } from '#domain/ai/rules.ts';
import type { Call } from '#domain/calls/contract.ts';
import { findActionItems } from '#server/ai/analyses.ts';
import type { Asking } from '#server/ai/ask-model.ts';
import { conversationOfCall } from '#server/ai/conversation-of-call.ts';
import type { Conversation } from '#server/providers/ai/port.ts';
import { keepGenerated } from './keep-generated.ts';
import { generatedAt } from './store.ts';

/** Who generates a list. */
export type Generating = Pick<Asking, 'services' | 'tenant' | 'signal'>;

/**
 * Generates the action items of a call from its transcript and the server's own copy of its notes, and stores them.
 * @param which as in `keepGenerated`
 * @param timeZone in which people say "Friday", UTC by default
 * @throws AnalyzerError
 */
export async function generateFromCall(
  by: Generating,
  call: Call,
  { which, timeZone }: { which: 'missing' | 'again'; timeZone?: string | null | undefined },
): Promise<void> {
  const { services, tenant } = by;
  const conversation = await conversationOfCall(tenant, call, notesOf(call), { timeZone });
  // No connection is held meanwhile, because an analyzer may take long.
  const { value, analyzer } = isEmpty(conversation)
    ? { value: [], analyzer: services.ai.analyzer }
    : await findActionItems({ ...by, call: call.id, conversation });
  // Phrases of a call may be stored after its end.
  const hasTurns = conversation.turns.length > 0;
  await keepGenerated(tenant, call, analyzer, value, hasTurns ? 'again' : which);
}

/**
 * Stores what a page was answered: the items of the stored notes, which are mostly the text that was sent. Once a
 * call has ended, its list is generated once.
 * @throws AnalyzerError
 */
export async function keepAnswered(
  by: Generating,
  call: Call,
  answered: {
    text: string;
    actionItems: readonly ActionItem[];
    analyzer: Analyzer;
    timeZone?: string | null | undefined;
  },
): Promise<void> {
  const { tenant } = by;
  const notes = notesOf(call);
  if (notes.trim() === '') return;
  if (call.endedAt !== null) {
    const generated = await generatedAt(tenant, call.id);
    if (generated !== null && generated >= call.endedAt) return;
  }
  if (answered.text.trim() === notes.trim())
    await keepGenerated(tenant, call, answered.analyzer, answered.actionItems, 'missing');
  else await generateFromCall(by, call, { which: 'missing', timeZone: answered.timeZone });
}

const isEmpty = ({ text, turns }: Conversation) => text.trim() === '' && turns.length === 0;

const notesOf = ({ notesSnapshot }: Call): string =>
  lastCharacters(notesSnapshot ?? '', longestConversation);
