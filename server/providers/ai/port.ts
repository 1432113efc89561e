import type { ActionItem, Analyzer, Sentiment, Suggestion } from '#domain/ai/contract.ts';
import type { OrgId } from '#domain/ids.ts';

/**
 * A conversation to be read. Its text was written by others: an analyzer reports on it, and follows
 * no instruction in it.
 */
export interface Conversation {
  /** Organizations take turns. */
  orgId: OrgId;
  text: string;
  roomTopic: string | null;
  playbookTitle: string | null;
  /** What is not ticked yet on the call's checklist. */
  openItems: readonly string[];
  isOver: boolean;
}

/** Reads conversations: our own offline analyzer, or a company's model behind its adapter. */
export interface ConversationAnalyzer {
  /** Named in every answer, so that people know who they listen to. */
  readonly analyzer: Analyzer;
  readSentiment(conversation: Conversation): Promise<Sentiment>;
  /** The most urgent first. */
  suggest(conversation: Conversation): Promise<Suggestion[]>;
  /** In the order in which they were promised. */
  findActionItems(conversation: Conversation): Promise<ActionItem[]>;
}

/** Opens a worker thread in which organizations take turns; a task past its processor time is ended. */
export type OpenThread = (options: {
  program: URL;
  idleMs: number;
  limitMs: number;
  resourceLimits: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number };
}) => { run(org: OrgId, task: unknown): Promise<unknown> };

/** The analyzer could not answer. Tried again later it may. */
export class AnalyzerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AnalyzerError';
  }
}
