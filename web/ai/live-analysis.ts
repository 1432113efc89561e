import { regenerateActionItems } from '#domain/action-items/contract.ts';
import {
  type Analyzer,
  analyzeCall,
  analyzeSentiment,
  generateActionItems,
  generateCoaching,
  type LiveQuestion,
  liveQuestions,
  longestConversation,
  type Sentiment,
  type Suggestion,
} from '#domain/ai/contract.ts';
import {
  coachingAfterCharacters,
  coachingEverySeconds,
  coachingExcerptCharacters,
  lastCharacters,
  sentimentAfterCharacters,
  sentimentEverySeconds,
  sentimentExcerptCharacters,
} from '#domain/ai/rules.ts';
import type { CallId } from '#domain/ids.ts';
import { ownTimeZone } from '#web/ai/own-time-zone.ts';
import { WritableStore } from '#web/live/store.ts';
import { request } from '#web/platform/api.ts';

export interface AnalysisState {
  sentiment: Sentiment | null;
  suggestions: readonly Suggestion[] | null;
  /** When the last answer about action items arrived: the server has stored those of the notes then. */
  itemsAt: number | null;
  /** The analyzer of the last answer. */
  analyzer: Analyzer | null;
  /** A manual analysis is running. */
  isAnalyzing: boolean;
  hasFailed: boolean;
}

export interface AnalysisSubject {
  callId: CallId;
  roomTopic: string;
  playbookTitle: string | null;
  /** Returns the typed conversation. */
  readText: () => string;
  /** Returns how much was said that became part of the transcript; more means that there is news. */
  transcribed: () => number;
}

/** The analysis of one call while it runs: on a timer, and on request. Outside React, as the call is. */
export class LiveAnalysis extends WritableStore<AnalysisState> {
  readonly #subject: AnalysisSubject;
  #clocks: ReturnType<typeof setInterval>[] = [];
  /** The excerpts that the last answers belong to. */
  #moodOf = '';
  #coachingOf = '';
  /** What the last answers from the server's own copy belong to. */
  readonly #callOf = new Map<LiveQuestion, string>();

  constructor(subject: AnalysisSubject) {
    super({
      sentiment: null,
      suggestions: null,
      itemsAt: null,
      analyzer: null,
      isAnalyzing: false,
      hasFailed: false,
    });
    this.#subject = subject;
  }

  /** Spec section 9: sentiment every 30 s past 100 characters, coaching every 45 s past 200. */
  start(): void {
    this.stop();
    this.#clocks = [
      setInterval(() => this.#pollSentiment(), sentimentEverySeconds * 1000),
      setInterval(() => this.#pollCoaching(), coachingEverySeconds * 1000),
    ];
  }

  stop(): void {
    for (const clock of this.#clocks) clearInterval(clock);
  }

  /** Requests everything, whatever the length. @returns false if nothing was typed or said */
  async analyze(): Promise<boolean> {
    if (this.getSnapshot().isAnalyzing) return true;
    const text = this.#subject.readText();
    if (this.#subject.transcribed() > 0 || text.trim() === '') return this.#analyzeWhole();
    this.update({ isAnalyzing: true });
    await Promise.all([this.#readSentiment(text), this.#coach(text), this.#findActionItems(text)]);
    this.update({ isAnalyzing: false });
    return true;
  }

  /** Skips a text that was already answered: the answer would be the same. */
  #pollSentiment(): void {
    if (this.#subject.transcribed() > 0) {
      this.#pollCall('sentiment');
      return;
    }
    const text = this.#subject.readText();
    if (text.length <= sentimentAfterCharacters) return;
    if (lastCharacters(text, sentimentExcerptCharacters) === this.#moodOf) return;
    void this.#readSentiment(text);
  }

  #pollCoaching(): void {
    if (this.#subject.transcribed() > 0) {
      this.#pollCall('coaching');
      return;
    }
    const text = this.#subject.readText();
    if (text.length <= coachingAfterCharacters) return;
    if (lastCharacters(text, coachingExcerptCharacters) === this.#coachingOf) return;
    void this.#coach(text);
  }

  /** With a transcript, the server's copy has more than this page: it answers for all pages together. */
  #pollCall(question: LiveQuestion): void {
    const content = this.#contentNow;
    if (this.#callOf.get(question) === content) return;
    void this.#ask(async () => {
      const answer = await this.#analyzeCall([question], false);
      this.#callOf.set(question, content);
      return answer;
    });
  }

  /** @returns false if there is nothing to analyze */
  async #analyzeWhole(): Promise<boolean> {
    let isEmpty = false;
    this.update({ isAnalyzing: true });
    await this.#ask(async () => {
      const answer = await this.#analyzeCall(liveQuestions, true);
      isEmpty = answer.analyzer === undefined;
      if (isEmpty) return answer;
      const about = { params: { id: this.callId }, body: { timeZone: ownTimeZone() } };
      await request(regenerateActionItems, about);
      return { ...answer, itemsAt: Date.now() };
    });
    this.update({ isAnalyzing: false });
    return !isEmpty;
  }

  async #analyzeCall(
    questions: readonly LiveQuestion[],
    isManual: boolean,
  ): Promise<Partial<AnalysisState>> {
    const params = { id: this.callId };
    const body = { questions: [...questions], isManual };
    const { sentiment, suggestions, analyzer } = await request(analyzeCall, { params, body });
    return {
      ...(sentiment && { sentiment }),
      ...(suggestions && { suggestions }),
      ...(analyzer && { analyzer }),
    };
  }

  /** Changes with what was said and typed. */
  get #contentNow(): string {
    return `${this.#subject.transcribed()} ${this.#subject.readText()}`;
  }

  #readSentiment(text: string): Promise<void> {
    const conversationText = lastCharacters(text, sentimentExcerptCharacters);
    return this.#ask(async () => {
      const { analyzer, ...sentiment } = await request(analyzeSentiment, {
        body: { ...this.#about, conversationText },
      });
      this.#moodOf = conversationText;
      return { sentiment, analyzer };
    });
  }

  #coach(text: string): Promise<void> {
    const conversationText = lastCharacters(text, coachingExcerptCharacters);
    return this.#ask(async () => {
      const body = { ...this.#about, conversationText };
      const { analyzer, suggestions } = await request(generateCoaching, { body });
      this.#coachingOf = conversationText;
      return { suggestions, analyzer };
    });
  }

  /** The server stores the action items of its own copy of the notes, which the page then reads. */
  #findActionItems(text: string): Promise<void> {
    const fullConversation = lastCharacters(text, longestConversation);
    return this.#ask(async () => {
      const body = { ...this.#about, fullConversation, currentNotes: fullConversation };
      const { analyzer } = await request(generateActionItems, { body });
      return { itemsAt: Date.now(), analyzer };
    });
  }

  get callId(): CallId {
    return this.#subject.callId;
  }

  get #about() {
    const { callId, roomTopic, playbookTitle } = this.#subject;
    return { callId, roomTopic, playbookTitle, timeZone: ownTimeZone() };
  }

  /** Spec section 8: failures are only logged. */
  async #ask(question: () => Promise<Partial<AnalysisState>>): Promise<void> {
    try {
      this.update({ ...(await question()), hasFailed: false });
    } catch (error) {
      console.error('The conversation could not be analyzed', error);
      this.update({ hasFailed: true });
    }
  }
}
