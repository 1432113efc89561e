import { z } from 'zod';
import { contract } from '#domain/contract.ts';

/** A trillion tokens: more than any organization can use. */
const mostTokens = 1_000_000_000_000;
const mostCost = 1_000_000;

const provider = z.object({
  /** Of the choice; `offline` is the built-in analyzer. */
  id: z.string(),
  model: z.string().nullable(),
  /** Where the text of calls goes; null for the built-in analyzer. */
  host: z.string().nullable(),
  /** Whether the operator entered what its tokens cost. */
  isPriced: z.boolean(),
});

export const aiSettings = z.object({
  /** Null follows the operator's choice. */
  provider: z.string().nullable(),
  /** The operator's choice. */
  standardProvider: z.string(),
  /** The analyzers of this installation. */
  providers: z.array(provider),
  monthlyTokens: z.int().nullable(),
  /** In the operator's currency. */
  monthlyCost: z.number().nullable(),
  currency: z.string(),
  /** The operator's limit for each organization; null without one. */
  operatorTokens: z.int().nullable(),
  /** Of this month, in UTC. */
  usage: z.array(
    z.object({
      provider: z.string(),
      model: z.string(),
      answers: z.int(),
      inputTokens: z.int(),
      outputTokens: z.int(),
      /** Null without the operator's prices. */
      cost: z.number().nullable(),
    }),
  ),
  /** The budget of the month is used up, and the built-in analyzer answers. */
  isExhausted: z.boolean(),
});
export type AiSettings = z.infer<typeof aiSettings>;

const tokensText = 'Please enter 0 to 1,000,000,000,000 tokens, or leave blank';
const costText = 'Please enter 0 to 1,000,000, or leave blank';
export const updateAiSettingsBody = z.object({
  provider: z.string().max(40).nullish(),
  monthlyTokens: z
    .int({ error: tokensText })
    .min(0, tokensText)
    .max(mostTokens, tokensText)
    .nullish(),
  monthlyCost: z.number({ error: costText }).min(0, costText).max(mostCost, costText).nullish(),
});
export type UpdateAiSettingsBody = z.infer<typeof updateAiSettingsBody>;

export const readAiSettings = contract({
  method: 'GET',
  path: '/api/ai/settings',
  summary: 'Which analyzer your organization uses, its budget, and its usage of the month',
  permission: 'privacy.manage',
  output: { 200: aiSettings },
});

export const updateAiSettings = contract({
  method: 'PUT',
  path: '/api/ai/settings',
  summary: 'Choose the analyzer and the monthly budget; what is absent stays as it is',
  permission: 'privacy.manage',
  body: updateAiSettingsBody,
  output: { 200: aiSettings },
  errors: [400],
});
