import { z } from 'zod';
import { analyzer, timeZone } from '#domain/ai/contract.ts';
import { citation } from '#domain/ai/evidence.ts';
import { contract } from '#domain/contract.ts';
import { callId } from '#domain/ids.ts';
import { talker } from './talk.ts';

export const mostStatements = 60;

/** One sentence about a call, with what it is based on: never nothing. */
export const statement = z.object({ text: z.string(), cites: z.array(citation).min(1) });
export type Statement = z.infer<typeof statement>;

export const askedQuestion = statement.extend({
  /** Null where it is not known who asked. */
  askedBy: z.string().nullable(),
  isOpen: z.boolean(),
});
export type AskedQuestion = z.infer<typeof askedQuestion>;

/** Null for a part that the analyzer cannot tell; the built-in one writes no summary and finds no topics. */
export const insights = z.object({
  summary: z.array(statement).max(mostStatements).nullable(),
  topics: z.array(statement).max(mostStatements).nullable(),
  questions: z.array(askedQuestion).max(mostStatements).nullable(),
  /** Null without a transcript. */
  talk: z.array(talker).nullable(),
  /** Only the newest part of a very long call was read. */
  isPartial: z.boolean(),
});
export type Insights = z.infer<typeof insights>;

const insightsOfCall = z.object({
  /** `none`: not generated. `empty`: nothing was said or written that may be read. */
  state: z.enum(['none', 'working', 'ready', 'empty', 'failed']),
  insights: insights.nullable(),
  analyzer: analyzer.nullable(),
  generatedAt: z.iso.datetime().nullable(),
});
export type CallInsights = z.infer<typeof insightsOfCall>;

export const readInsights = contract({
  method: 'GET',
  path: '/api/calls/:id/insights',
  summary: 'Summary, topics, questions, and talk shares of a call, each with what it is based on',
  permission: 'calls.read',
  scope: 'calls:read',
  params: z.object({ id: callId }),
  output: { 200: insightsOfCall },
  errors: [404],
});

export const generateInsights = contract({
  method: 'POST',
  path: '/api/calls/:id/insights',
  summary: 'Generate the insights of an ended call again, from its transcript and notes',
  permission: 'ai.analyze',
  stores: true,
  params: z.object({ id: callId }),
  body: z.object({ timeZone }),
  output: { 200: insightsOfCall },
  errors: [400, 404, 429],
});
