import type { CallId } from '#domain/ids.ts';
import { mostStatements } from '#domain/insights/contract.ts';
import { talkOf } from '#domain/insights/talk.ts';
import { type Asking, analyze } from '#server/ai/ask-model.ts';
import { conversationOfCall, readNotes } from '#server/ai/conversation-of-call.ts';
import { findCallWithoutNotes } from '#server/calls/store.ts';
import type { Tenant } from '#server/platform/access.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { insightsQuestion, type ReadInsights } from '#server/providers/ai/model/questions.ts';
import type { Services } from '#server/services.ts';
import { keep, noteFailure } from './store.ts';

/** A call is read when it is its organization's turn: one of 300,000 words takes 20 MB while a model reads it. */
const turns = new FairQueue({ atOnce: 10, perKey: 1, mostWaiting: 50 });

/** Generates the insights of a call that is claimed, and stores them. @returns whether it succeeded */
export async function generate(
  services: Services,
  tenant: Tenant,
  call: CallId,
  { timeZone, signal }: { timeZone?: string | null | undefined; signal: AbortSignal },
): Promise<boolean> {
  try {
    await turns.run(tenant.orgId, () => read({ services, tenant, signal }, call, timeZone));
    return true;
  } catch (error) {
    services.log.warn(
      { err: error, callId: call },
      'the insights of a call could not be generated',
    );
  }
  try {
    await noteFailure(tenant, call);
  } catch (error) {
    services.log.warn({ err: error, callId: call }, 'a failure of insights could not be stored');
  }
  return false;
}

async function read(
  by: Pick<Asking, 'services' | 'tenant' | 'signal'>,
  id: CallId,
  timeZone: string | null | undefined,
): Promise<void> {
  const { services, tenant } = by;
  const call = await findCallWithoutNotes(tenant, id);
  const notes = await readNotes(tenant, id);
  const about = { timeZone, storedNotes: notes };
  const conversation = await conversationOfCall(tenant, call, notes, about);
  const { turns: said } = conversation;
  if (notes.trim() === '' && said.length === 0) {
    await keep(tenant, id, services.ai.analyzer, null, []);
    return;
  }
  const talk = said.length > 0 ? talkOf(said) : null;
  // It writes no summary and finds no topics, and questions only where it is known who speaks.
  const offline = async (): Promise<ReadInsights> => ({
    summary: null,
    topics: null,
    questions: said.length > 0 ? services.ai.findQuestions(conversation) : null,
  });
  const { value, analyzer, isPartial } = await analyze(
    { ...by, call: id, conversation },
    insightsQuestion,
    offline,
    merged,
  );
  const lines = said.map(({ lineId }) => lineId);
  await keep(tenant, id, analyzer, { ...value, talk, isPartial }, lines);
}

const merged = (parts: ReadInsights[]): ReadInsights => ({
  summary: parts.flatMap(({ summary }) => summary ?? []).slice(0, mostStatements),
  topics: withoutRepeats(parts.flatMap(({ topics }) => topics ?? [])).slice(0, mostStatements),
  questions: parts.flatMap(({ questions }) => questions ?? []).slice(0, mostStatements),
});

/** Parts of a call are about the same topics. */
const withoutRepeats = <T extends { text: string }>(topics: readonly T[]): T[] => [
  ...new Map(topics.map((topic) => [topic.text.toLowerCase(), topic])).values(),
];
