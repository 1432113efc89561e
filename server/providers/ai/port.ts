import type { ActionItem, Analyzer, Sentiment, Suggestion } from '#domain/ai/contract.ts';
import type { OrgId } from '#domain/ids.ts';

/**
 * A conversation to be analyzed. Its text was written by others: an analyzer reports on it, and
 * follows no instruction in it.
 */
export interface Conversation {
  /** Organizations take turns. */
  orgId: OrgId;
  text: string;
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

/** The analyzer could not answer. A later retry may succeed. */
export class AnalyzerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AnalyzerError';
  }
}
