import type { ActionItem, Analyzer } from '#domain/ai/contract.ts';
import { findActionItems } from '#server/ai/analyses.ts';
import type { Asking } from '#server/ai/ask-model.ts';
import { conversationOfCall, readNotes } from '#server/ai/conversation-of-call.ts';
import type { CallWithoutNotes } from '#server/calls/store.ts';
import type { Tenant } from '#server/platform/access.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { Conversation } from '#server/providers/ai/port.ts';
import { keepGenerated } from './keep-generated.ts';
import { generatedAt } from './store.ts';

/** Who generates a list. */
export type Generating = Pick<Asking, 'services' | 'tenant' | 'signal'>;

/**
 * Notes and transcripts are read when it is the organization's turn: those who wait hold none. A model may take a
 * minute, so an organization has several turns.
 */
const turns = new FairQueue({ atOnce: 20, perKey: 3, mostWaiting: 50 });

/** Does what needs the whole of a call. @throws DomainError 429 when too many requests of the organization are waiting */
export const inTurn = <T>({ orgId }: Tenant, work: () => Promise<T>): Promise<T> =>
  turns.run(orgId, work);

/**
 * Generates the action items of a call from its transcript and the server's own copy of its notes, and stores them.
 * @param which as in `keepGenerated`
 * @param timeZone in which people say "Friday", UTC by default
 * @throws AnalyzerError, and DomainError 429 when too many requests of the organization are waiting
 */
export function generateFromCall(by: Generating, call: CallWithoutNotes, how: How): Promise<void> {
  return inTurn(by.tenant, async () => {
    await generateFrom(await readNotes(by.tenant, call.id), by, call, how);
  });
}

interface How {
  which: 'missing' | 'again';
  timeZone?: string | null | undefined;
}

async function generateFrom(
  notes: string,
  by: Generating,
  call: CallWithoutNotes,
  { which, timeZone }: How,
): Promise<void> {
  const { services, tenant } = by;
  const conversation = await conversationOfCall(tenant, call, notes, {
    timeZone,
    storedNotes: notes,
  });
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
 * @throws as `generateFromCall`
 */
export async function keepAnswered(
  by: Generating,
  call: CallWithoutNotes,
  answered: {
    text: string;
    actionItems: readonly ActionItem[];
    analyzer: Analyzer;
    timeZone?: string | null | undefined;
  },
): Promise<void> {
  const { tenant } = by;
  const { text, actionItems, analyzer, timeZone } = answered;
  await inTurn(tenant, async () => {
    const notes = await readNotes(tenant, call.id);
    if (notes.trim() === '') return;
    if (call.endedAt !== null) {
      const generated = await generatedAt(tenant, call.id);
      if (generated !== null && generated >= call.endedAt) return;
    }
    if (text.trim() === notes.trim())
      await keepGenerated(tenant, call, analyzer, actionItems, 'missing');
    else await generateFrom(notes, by, call, { which: 'missing', timeZone });
  });
}

const isEmpty = ({ text, turns: said }: Conversation) => text.trim() === '' && said.length === 0;
