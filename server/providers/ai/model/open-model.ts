import {
  type LanguageModel,
  ModelError,
  type ModelQuestion,
  mostUseOf,
  type TokenUse,
} from '../port.ts';
import type { ModelConfig } from './settings.ts';

/** Longer answers are cut before they are shown to the model again. */
const longestShownAgain = 4000;

/**
 * Returns a model behind its provider's HTTP API. The SDK takes a quarter of a second and 29 MB to load, and is loaded
 * with the first question.
 */
export function openModel(config: ModelConfig): LanguageModel {
  let opened: Promise<Opened> | null = null;
  return {
    id: config.id,
    model: config.model,
    host: new URL(config.url).hostname,
    price: config.price,
    async ask(question, signal) {
      opened ??= open(config);
      return (await opened)(question, signal);
    },
  };
}

type Opened = <T>(
  question: ModelQuestion<T>,
  signal: AbortSignal,
) => Promise<{ value: T; use: TokenUse }>;

async function open(config: ModelConfig): Promise<Opened> {
  const { extractJsonMiddleware, generateText, NoObjectGeneratedError, Output, wrapLanguageModel } =
    await import('ai');
  const model = wrapLanguageModel({
    model: await providerModel(config),
    middleware: extractJsonMiddleware({ transform: withinBraces }),
  });

  async function once<T>(
    { instructions, schema, mostOutputTokens, timeoutMs }: ModelQuestion<T>,
    prompt: string,
    signal: AbortSignal,
  ) {
    const { output, usage } = await generateText({
      model,
      instructions,
      prompt,
      output: Output.object({ schema }),
      maxOutputTokens: mostOutputTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return { value: output, use: usedBy(usage, instructions + prompt, JSON.stringify(output)) };
  }

  return async (question, signal) => {
    let use: TokenUse = { inputTokens: 0, outputTokens: 0 };
    let prompt = question.prompt;
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) throw new ModelError('the request was canceled', use);
      try {
        const answer = await once(question, prompt, signal);
        return { ...answer, use: sum(use, answer.use) };
      } catch (error) {
        if (!NoObjectGeneratedError.isInstance(error)) {
          const used = isCharged(error) ? sum(use, mostUseOf({ ...question, prompt })) : use;
          throw new ModelError(reasonOf(error), used, { cause: withoutContent(error) });
        }
        const read = question.instructions + prompt;
        use = sum(use, usedBy(error.usage, read, error.text ?? ''));
        const reason = explain(error.cause);
        if (attempt === 2) throw new ModelError(`its answer was refused twice: ${reason}`, use);
        prompt = `${question.prompt}\n\n${secondAttempt(error.text ?? '', reason)}`;
      }
    }
  };
}

/** Models put a fence or a sentence around the object. */
function withinBraces(text: string): string {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  return start < 0 || end < start ? text : text.slice(start, end + 1);
}

async function providerModel({ id, url, model, key }: ModelConfig) {
  switch (id) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL: url, apiKey: key ?? '' })(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL: url, apiKey: key ?? '' }).chat(model);
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const given = key ? { apiKey: key } : {};
      const settings = { name: 'compatible', baseURL: url, supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...settings, ...given })(model);
    }
  }
}

const secondAttempt = (answer: string, reason: string) =>
  `Your previous answer was refused. Answer again with JSON of the required shape only.\n${JSON.stringify({ previousAnswer: answer.slice(0, longestShownAgain), error: reason })}`;

/** Names the wrong fields, without their values. */
function explain(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ('issues' in error && Array.isArray(error.issues)) {
      return error.issues
        .slice(0, 5)
        .map(({ path, message }) => `${[path].flat().join('.')}: ${message}`)
        .join('; ');
    }
  }
  return 'the answer is not JSON of the required shape';
}

/** Servers that report no usage are counted by the length of the text: about four characters a token. */
function usedBy(
  usage: { inputTokens?: number | undefined; outputTokens?: number | undefined } | undefined,
  read: string,
  answer: string,
): TokenUse {
  return {
    inputTokens: usage?.inputTokens || Math.ceil(read.length / 4),
    outputTokens: usage?.outputTokens || Math.ceil(answer.length / 4),
  };
}

const sum = (a: TokenUse, b: TokenUse): TokenUse => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
});

/** Errors of connections that were not made, over which nothing was sent. */
const notSent =
  /^(?:ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_[A-Z]+|E(?:HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_(?:TLS|SSL)_\w+|\w*CERT\w*|\w*_ISSUER\w*|\w*_SIGNATURE\w*)$/;

/**
 * Whether the provider may have answered, and charges for it, without saying how much: the question was sent, and its
 * answer was not read to the end. A refusal is an answer, and costs nothing.
 */
function isCharged(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('statusCode' in at && typeof at.statusCode === 'number') return at.statusCode < 400;
    if ('code' in at && typeof at.code === 'string') return !notSent.test(at.code);
  }
  return true;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed';
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  if (error.name === 'AbortError') return 'the request was canceled';
  return 'statusCode' in error && typeof error.statusCode === 'number'
    ? `it answered with status ${error.statusCode}`
    : 'it could not be reached';
}

/** The SDK's errors have the whole request in them, which belongs in no log. */
const withoutContent = (error: unknown) =>
  new Error(error instanceof Error ? error.name : 'unknown error');
