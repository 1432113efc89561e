import type { Analyzer, LiveQuestion, Sentiment, Suggestion } from '#domain/ai/contract.ts';
import {
  coachingAfterCharacters,
  coachingExcerptCharacters,
  lastCharacters,
  sentimentAfterCharacters,
  sentimentExcerptCharacters,
} from '#domain/ai/rules.ts';
import type { CallWithoutNotes } from '#server/calls/store.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Conversation } from '#server/providers/ai/port.ts';
import type { Services } from '#server/services.ts';
import { lastTurns } from '#server/transcripts/read-turns.ts';
import { readSentiment, suggest } from './analyses.ts';
import type { Analyzed, Asking } from './ask-model.ts';
import { conversationOfCall, readNotes } from './conversation-of-call.ts';
import { noteUse } from './note-use.ts';
import { SharedAnswers } from './shared-answers.ts';

interface Wanted {
  questions: readonly LiveQuestion[];
  isManual: boolean;
}
interface Answers {
  sentiment: Sentiment | null;
  suggestions: Suggestion[] | null;
  analyzer: Analyzer | null;
}

/** Analyzes running calls from their transcripts and stored notes, once for all who watch a call. */
export class CallAnalysis {
  readonly #services: Services;
  readonly #moods = new SharedAnswers<Sentiment>();
  readonly #advice = new SharedAnswers<Suggestion[]>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** @throws AnalyzerError */
  async answer(
    tenant: Tenant,
    call: CallWithoutNotes,
    { questions, isManual }: Wanted,
  ): Promise<Answers> {
    const conversation = await recentOf(tenant, call);
    const length = lengthOf(conversation);
    const isDue = (question: LiveQuestion, after: number) =>
      questions.includes(question) && length > (isManual ? 0 : after);
    const [mood, advice] = await Promise.all([
      isDue('sentiment', sentimentAfterCharacters)
        ? this.#mood(tenant, call, excerptOf(conversation, sentimentExcerptCharacters))
        : null,
      isDue('coaching', coachingAfterCharacters) ? this.#advise(tenant, call, conversation) : null,
    ]);
    return {
      sentiment: mood?.value ?? null,
      suggestions: advice?.value ?? null,
      analyzer: (mood ?? advice)?.analyzer ?? null,
    };
  }

  #mood(tenant: Tenant, { id }: CallWithoutNotes, conversation: Conversation) {
    return this.#moods.of(tenant.orgId, id, contentOf(conversation), () =>
      this.#ask(tenant, 'SENTIMENT_ANALYZED', { call: id, conversation }, readSentiment),
    );
  }

  #advise(tenant: Tenant, { id }: CallWithoutNotes, conversation: Conversation) {
    return this.#advice.of(tenant.orgId, id, contentOf(conversation), () =>
      this.#ask(tenant, 'COACHING_ASKED', { call: id, conversation }, suggest),
    );
  }

  async #ask<T>(
    tenant: Tenant,
    action: Uppercase<string>,
    about: Pick<Asking, 'call' | 'conversation'>,
    question: (asking: Asking) => Promise<Analyzed<T>>,
  ): Promise<Analyzed<T>> {
    const services = this.#services;
    await noteUse(tenant, services.ai.analyzer, action, about.call);
    // Others wait for the answer, too, so it is not canceled when the first of them leaves.
    const { signal } = new AbortController();
    return question({ services, tenant, signal, ...about });
  }
}

/**
 * Returns the end of a call's notes and transcript, as far as coaching reads them. Mood and advice quote lines of the
 * notes and do not number them, so that the rest is not needed.
 */
async function recentOf(tenant: Tenant, call: CallWithoutNotes): Promise<Conversation> {
  const text = await readNotes(tenant, call.id, coachingExcerptCharacters);
  return conversationOfCall(tenant, call, text, {}, coachingExcerptCharacters);
}

const excerptOf = (conversation: Conversation, characters: number): Conversation => ({
  ...conversation,
  text: lastCharacters(conversation.text, characters),
  turns: lastTurns(conversation.turns, characters),
});

const lengthOf = ({ text, turns }: Conversation) =>
  turns.reduce((sum, turn) => sum + turn.text.length, text.trim().length);

const contentOf = ({ text, turns, openItems, isOver }: Conversation) => [
  text,
  turns.map(({ lineId, speaker, text: said }) => [lineId, speaker, said]),
  openItems,
  isOver,
];
