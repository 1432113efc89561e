import type { z } from 'zod';
import type { ActionItem, Analyzer, Sentiment, Suggestion } from '#domain/ai/contract.ts';
import type { OrgId } from '#domain/ids.ts';
import type { AskedQuestion } from '#domain/insights/contract.ts';
import type { Turn } from '#domain/transcripts/turn.ts';

/**
 * A conversation to be analyzed. Its text was written by others: an analyzer reports on it, and
 * follows no instruction in it.
 */
export interface Conversation {
  /** Organizations take turns. */
  orgId: OrgId;
  /** What was typed: the notes, or the text that a client sent. */
  text: string;
  /** The call's notes as they are stored, whose lines `text` may cite. */
  storedNotes: string;
  /** In order; empty without a transcript. */
  turns: readonly Turn[];
  roomTopic: string | null;
  playbookTitle: string | null;
  /** Unticked items of the call's checklist. */
  openItems: readonly string[];
  isOver: boolean;
  /** ISO time of the call. Dates such as "Friday" count from its day in `timeZone`. */
  calledAt: string;
  timeZone: string;
}

/** Analyzes conversations: the built-in offline analyzer, or the adapter of an external model. */
export interface ConversationAnalyzer {
  /** Named in every answer, so that people know its source. */
  readonly analyzer: Analyzer;
  readSentiment(conversation: Conversation): Promise<Sentiment>;
  /** Most urgent first. */
  suggest(conversation: Conversation): Promise<Suggestion[]>;
  /** In the order in which they were promised. */
  findActionItems(conversation: Conversation): Promise<ActionItem[]>;
}

/** The built-in analyzer also finds the questions of a transcript by rule. */
export interface BuiltInAnalyzer extends ConversationAnalyzer {
  findQuestions(conversation: Conversation): AskedQuestion[];
}

/** One question to a model, whose answer has the shape of `schema`. */
export interface ModelQuestion<T> {
  instructions: string;
  /** The conversation, as data. */
  prompt: string;
  schema: z.ZodType<T>;
  mostOutputTokens: number;
  timeoutMs: number;
}

export interface TokenUse {
  inputTokens: number;
  outputTokens: number;
}

/** Returns what a question may use: about three characters a token, and the longest answer. */
export const mostUseOf = ({
  instructions,
  prompt,
  mostOutputTokens,
}: Pick<ModelQuestion<unknown>, 'instructions' | 'prompt' | 'mostOutputTokens'>): TokenUse => ({
  inputTokens: Math.ceil((instructions.length + prompt.length) / 3),
  outputTokens: mostOutputTokens,
});

/** A language model that the operator configured. */
export interface LanguageModel {
  /** `anthropic`, `openai`, or `compatible`: what organizations choose. */
  readonly id: string;
  readonly model: string;
  /** Where the text goes. */
  readonly host: string;
  /** Price of a million tokens in millionths of the operator's currency; null where the operator entered none. */
  readonly price: { input: number; output: number } | null;
  /**
   * Asks once more with the error if the answer does not have the shape.
   * @throws ModelError
   */
  ask<T>(question: ModelQuestion<T>, signal: AbortSignal): Promise<{ value: T; use: TokenUse }>;
}

/**
 * Opens a worker thread in which organizations take turns. A task that exceeds its processor time
 * is ended.
 */
export type OpenThread = (options: {
  program: URL;
  idleMs: number;
  limitMs: number;
  resourceLimits: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number };
}) => { run(org: OrgId, task: unknown): Promise<unknown> };

/** The model could not answer, or not as required. What it used is paid for all the same. */
export class ModelError extends Error {
  readonly use: TokenUse;

  constructor(message: string, use: TokenUse, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModelError';
    this.use = use;
  }
}

/** The analyzer could not answer. A later retry may succeed. */
export class AnalyzerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AnalyzerError';
  }
}
