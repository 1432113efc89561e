import { z } from 'zod';
import { blankIsUnset, when } from '#server/providers/setting.ts';

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && !username && !search && !hash;
}
const url = (example: string) =>
  when(isAddress, `give an address like ${example}, without user, "?" and "#"`).transform((value) =>
    value?.replace(/\/+$/, ''),
  );
const pricePattern = /^(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/;
const price = when(
  (value) => pricePattern.test(value),
  'give what a million tokens of input and of output cost, like 3/15',
).describe(
  'What a million tokens of input and of output cost, e.g. 3/15. Unset: costs are not shown.',
);

export const modelIds = ['anthropic', 'openai', 'compatible'] as const;
export type ModelId = (typeof modelIds)[number];

/** The settings for language models. */
export const modelSettings = {
  AI_PROVIDER: z
    .enum(['offline', ...modelIds])
    .optional()
    .describe(
      'Analyzer of organizations that have not chosen: offline (built in), anthropic, openai or compatible. Unset: the first of these models that is configured, else offline.',
    ),
  ANTHROPIC_API_KEY: blankIsUnset.describe('Key of the Anthropic API.'),
  ANTHROPIC_MODEL: blankIsUnset.describe('Name of the Anthropic model.'),
  ANTHROPIC_BASE_URL: url('https://api.anthropic.com/v1').describe(
    'The Anthropic API. Unset: https://api.anthropic.com/v1.',
  ),
  ANTHROPIC_PRICE: price,
  OPENAI_API_KEY: blankIsUnset.describe('Key of the OpenAI API.'),
  OPENAI_MODEL: blankIsUnset.describe('Name of the OpenAI model.'),
  OPENAI_BASE_URL: url('https://api.openai.com/v1').describe(
    'The OpenAI API. Unset: https://api.openai.com/v1.',
  ),
  OPENAI_PRICE: price,
  AI_URL: url('http://localhost:11434/v1').describe(
    'An OpenAI-compatible server (Ollama, vLLM, LM Studio), e.g. http://localhost:11434/v1.',
  ),
  AI_MODEL: blankIsUnset.describe('Name of the model at AI_URL.'),
  AI_KEY: blankIsUnset.describe('Key of the server at AI_URL, if it wants one.'),
  AI_PRICE: price,
  AI_CURRENCY: when(
    (value) => /^[A-Z]{3}$/.test(value),
    'give a currency like EUR, in three capital letters',
  )
    .transform((value) => value ?? 'USD')
    .describe('Currency of the prices. Unset: USD.'),
  AI_MONTHLY_TOKENS: z.coerce
    .number()
    .int('AI_MONTHLY_TOKENS must be a whole number')
    .min(0)
    .optional()
    .describe('Most tokens of each organization in a month. Unset: their own budgets only.'),
};

type Given = { [Name in keyof typeof modelSettings]?: z.infer<(typeof modelSettings)[Name]> };

/** A model that is configured. */
export interface ModelConfig {
  id: ModelId;
  url: string;
  model: string;
  key: string | undefined;
  price: { input: number; output: number } | null;
}

/** Returns a sentence about settings of models that do not go together; null if they do. */
export function wrongOfModels(given: Given): string | null {
  for (const name of ['ANTHROPIC', 'OPENAI'] as const) {
    const [key, model] = [given[`${name}_API_KEY`], given[`${name}_MODEL`]];
    if (Boolean(key) !== Boolean(model)) {
      return `${name}_API_KEY and ${name}_MODEL: set both, or neither.`;
    }
  }
  if (Boolean(given.AI_URL) !== Boolean(given.AI_MODEL)) {
    return 'AI_URL and AI_MODEL: set both, or neither.';
  }
  if (given.AI_KEY && !given.AI_URL) return 'AI_KEY: it needs AI_URL and AI_MODEL.';
  const { AI_PROVIDER: chosen } = given;
  if (!chosen || chosen === 'offline' || modelsOf(given).some(({ id }) => id === chosen))
    return null;
  const needs = {
    anthropic: 'ANTHROPIC_API_KEY and ANTHROPIC_MODEL',
    openai: 'OPENAI_API_KEY and OPENAI_MODEL',
    compatible: 'AI_URL and AI_MODEL',
  } satisfies Record<ModelId, string>;
  return `AI_PROVIDER: ${chosen} needs ${needs[chosen]}.`;
}

/** Returns the models that are configured. */
export function modelsOf(given: Given): ModelConfig[] {
  const all: (Omit<ModelConfig, 'model' | 'price'> & {
    isOn: boolean;
    model: string | undefined;
    price: string | undefined;
  })[] = [
    {
      id: 'anthropic',
      isOn: given.ANTHROPIC_API_KEY !== undefined,
      url: given.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com/v1',
      model: given.ANTHROPIC_MODEL,
      key: given.ANTHROPIC_API_KEY,
      price: given.ANTHROPIC_PRICE,
    },
    {
      id: 'openai',
      isOn: given.OPENAI_API_KEY !== undefined,
      url: given.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
      model: given.OPENAI_MODEL,
      key: given.OPENAI_API_KEY,
      price: given.OPENAI_PRICE,
    },
    {
      id: 'compatible',
      isOn: given.AI_URL !== undefined,
      url: given.AI_URL ?? '',
      model: given.AI_MODEL,
      key: given.AI_KEY,
      price: given.AI_PRICE,
    },
  ];
  return all.flatMap(({ isOn, model, price: priced, ...one }) =>
    isOn && model ? [{ ...one, model, price: priceOf(priced) }] : [],
  );
}

/** In millionths of the currency for a million tokens, so that a token costs a whole number divided by a million. */
function priceOf(value: string | undefined): ModelConfig['price'] {
  const [, input, output] = pricePattern.exec(value ?? '') ?? [];
  if (input === undefined || output === undefined) return null;
  const millionths = (amount: string) => Math.round(Number(amount) * 1_000_000);
  return { input: millionths(input), output: millionths(output) };
}
