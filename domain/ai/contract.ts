import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { callId } from '#domain/ids.ts';
import { isTimeZone } from '#domain/rooms/opening-hours.ts';
import { citation } from './evidence.ts';

/** Characters (UTF-16 units) of a conversation, or of notes, in one request. */
export const longestConversation = 300_000;
/** As many characters of up to three bytes, with the other fields. */
const conversationBytes = 950_000;

/**
 * The analyzer of the conversation. `offline` is the built-in one, which uses word lists and rules
 * and no model.
 */
export const analyzer = z.object({
  name: z.string(),
  offline: z.boolean(),
  /** The model's name as its provider has it; absent for the built-in analyzer. */
  model: z.string().optional(),
  /**
   * Why the built-in analyzer answered in place of the organization's model: its monthly budget is used up, or the
   * model did not answer as required.
   */
  insteadOf: z.enum(['budget', 'failed']).optional(),
});
export type Analyzer = z.infer<typeof analyzer>;

const share = z.number().min(0).max(1);
export const priorities = ['high', 'medium', 'low'] as const;
const priority = z.enum(priorities);
export type Priority = z.infer<typeof priority>;

export const sentiment = z.object({
  overallSentiment: z.number().min(-1).max(1),
  confidence: share,
  keyEmotions: z.array(z.string()),
  concernsDetected: z.boolean(),
  /** False for a language that the analyzer cannot read; sentiment and confidence are then 0. */
  supported: z.boolean().default(true),
  /** The lines that the sentiment is based on, verbatim, the most telling first. */
  evidence: z.array(z.string()).default([]),
});
export type Sentiment = z.infer<typeof sentiment>;

export const coachingTypes = [
  'risk',
  'objection',
  'competitor',
  'confusion',
  'question',
  'next_step',
  'listening',
  'checklist',
  'advocacy',
  'rapport',
] as const;
export const suggestion = z.object({
  priority,
  type: z.enum(coachingTypes),
  suggestion: z.string(),
  /** The part of the conversation that it answers, verbatim where it is a line of it. */
  context: z.string(),
});
export type Suggestion = z.infer<typeof suggestion>;

/** Owners who are not named: the person who takes the notes, their team, the customer. */
export const unnamedOwners = ['me', 'us', 'customer'] as const;
export type UnnamedOwner = (typeof unnamedOwners)[number];

export const actionItem = z.object({
  priority,
  confidence: share,
  title: z.string(),
  description: z.string(),
  /**
   * The owner's name as in the conversation, or one of `unnamedOwners`; null where none is known.
   */
  owner: z.string().nullable(),
  /** The due date in the conversation's own words. */
  due: z.string().nullable(),
  /** The due date, counted from the day of the call in its time zone. */
  dueOn: z.iso.date().nullish(),
  /** The line of the transcript or the notes that it comes from. */
  source: citation.nullish(),
});
export type ActionItem = z.infer<typeof actionItem>;

const emptyText = 'Add some conversation text to analyze by typing in the Notes tab';
const tooLong = 'This conversation is too long to analyze. Send its last 300,000 characters.';
const conversation = z
  .string(emptyText)
  .max(longestConversation, tooLong)
  .refine((text) => text.trim() !== '', emptyText);
const title = z.string().max(1000).nullish();
/** The zone in which "Friday" and "tomorrow" are meant; UTC without one. */
export const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'Please choose a time zone')
  .nullish();
const aboutCall = { callId, roomTopic: title, playbookTitle: title, timeZone };

export const excerptBody = z.object({ ...aboutCall, conversationText: conversation });
export const wholeBody = z.object({
  ...aboutCall,
  fullConversation: conversation,
  currentNotes: z.string().max(longestConversation, tooLong).nullish(),
});

export const analyzeSentiment = contract({
  method: 'POST',
  path: '/api/ai/analyze-sentiment',
  summary: 'The mood of a conversation, from its last 1000 characters',
  permission: 'ai.analyze',
  body: excerptBody,
  bodyLimit: conversationBytes,
  output: { 200: sentiment.extend({ analyzer }) },
  errors: [404, 429],
});

export const generateCoaching = contract({
  method: 'POST',
  path: '/api/ai/generate-coaching',
  summary: 'What to do next in a conversation, from its last 1500 characters',
  permission: 'ai.analyze',
  body: excerptBody,
  bodyLimit: conversationBytes,
  output: { 200: z.object({ suggestions: z.array(suggestion), analyzer }) },
  errors: [404, 429],
});

export const liveQuestions = ['sentiment', 'coaching'] as const;
export type LiveQuestion = (typeof liveQuestions)[number];

/**
 * Answers about a call from what the server has of it: the end of its transcript, of people who agreed to an analysis,
 * and of its stored notes. The same for all who ask about the same content. An answer is null if it was not requested,
 * or if there is too little content for the timer.
 */
export const analyzeCall = contract({
  method: 'POST',
  path: '/api/calls/:id/analysis',
  summary: 'The mood of a call and what to do next, from its transcript and notes',
  permission: 'ai.analyze',
  params: z.object({ id: callId }),
  body: z.object({
    questions: z.array(z.enum(liveQuestions)).min(1).max(liveQuestions.length),
    /** Requested by a person, not by the timer: any content suffices. */
    isManual: z.boolean().default(false),
  }),
  output: {
    200: z.object({
      sentiment: sentiment.nullable(),
      suggestions: z.array(suggestion).nullable(),
      /** Null without an answer. */
      analyzer: analyzer.nullable(),
    }),
  },
  errors: [404, 429],
});

/**
 * Answers for the text it is sent: the last 300,000 characters of the conversation and the notes together. What the
 * call keeps is generated from its stored notes at the same time (`domain/action-items`).
 */
export const generateActionItems = contract({
  method: 'POST',
  path: '/api/ai/generate-action-items',
  summary: 'What was promised in a conversation',
  permission: 'ai.analyze',
  body: wholeBody,
  bodyLimit: 2 * conversationBytes,
  output: { 200: z.object({ actionItems: z.array(actionItem), analyzer }) },
  errors: [404, 429],
});
