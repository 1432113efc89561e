import { createHash } from 'node:crypto';
import type { Analyzer } from '#domain/ai/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import {
  type ConversationPart,
  inputParts,
} from '#server/providers/ai/model/conversation-input.ts';
import type { Question } from '#server/providers/ai/model/questions.ts';
import {
  AnalyzerError,
  type Conversation,
  type LanguageModel,
  ModelError,
  mostUseOf,
  type TokenUse,
} from '#server/providers/ai/port.ts';
import type { Services } from '#server/services.ts';
import {
  type AnswerKey,
  costOf,
  findAnswer,
  lineIdsOf,
  lockExistingLines,
  storeAnswer,
} from './answers.ts';
import { type AiBudget, isExhausted, readBudget } from './budget.ts';
import { mayBeAnalyzed } from './conversation-of-call.ts';

type Used = Pick<Services, 'ai' | 'models' | 'database' | 'config' | 'log'>;

/** Who asks what about. The signal ends when they have left. */
export interface Asking {
  services: Used;
  tenant: Tenant;
  call: CallId;
  conversation: Conversation;
  signal: AbortSignal;
}

export interface Analyzed<T> {
  value: T;
  analyzer: Analyzer;
  isPartial: boolean;
}

class BudgetExhausted extends Error {}
class SwitchedOff extends Error {}
class ConversationChanged extends AnalyzerError {}

/**
 * Asks the organization's model, and the built-in analyzer if there is none, its budget is used up, or it fails. The
 * answer says which one it is from.
 * @param merge puts together the answers about the parts of a long conversation; null asks about its last part only
 * @throws AnalyzerError, also if some of the conversation may no longer be analyzed
 */
export async function analyze<Raw, T>(
  asking: Asking,
  question: Question<Raw, T>,
  offline: () => Promise<T>,
  merge: ((values: T[]) => T) | null = null,
): Promise<Analyzed<T>> {
  const { services, tenant, signal } = asking;
  const { analyzer: builtIn } = services.ai;
  const withoutModel = async (why: Partial<Analyzer>) => ({
    value: await offline(),
    analyzer: { ...builtIn, ...why },
    isPartial: false,
  });
  const model = await modelOf(services, tenant);
  const { parts, isPartial } = inputParts(asking.conversation);
  const newest = parts.at(-1);
  if (!model || !newest) return withoutModel({});
  try {
    const values: T[] = [];
    for (const part of merge ? parts : [newest]) {
      values.push(await askAbout(part, model, question, asking));
    }
    const [first] = values;
    const value = merge || first === undefined ? merge?.(values) : first;
    if (value === undefined) throw new AnalyzerError('there is no answer');
    const analyzer = { name: model.id, offline: false, model: model.model };
    return { value, analyzer, isPartial };
  } catch (error) {
    if (signal.aborted) throw new AnalyzerError('The request was canceled.');
    if (error instanceof ConversationChanged) throw error;
    if (error instanceof SwitchedOff) return withoutModel({});
    if (error instanceof BudgetExhausted) return withoutModel({ insteadOf: 'budget' });
    services.log.warn(
      { err: error, callId: asking.call, provider: model.id, question: question.name },
      'a model did not answer, the built-in analyzer does',
    );
    return withoutModel({ insteadOf: 'failed' });
  }
}

/** Returns the model that the organization uses; null for the built-in analyzer. */
async function modelOf({ models }: Used, tenant: Tenant): Promise<LanguageModel | null> {
  if (models.models.length === 0) return null;
  const chosen = chosenModel(models, await tenant.connection(readBudget));
  return models.models.find(({ id }) => id === chosen) ?? null;
}

const chosenModel = ({ standard }: Used['models'], { provider }: Pick<AiBudget, 'provider'>) =>
  provider ?? standard;

/** Answers from what is stored, or asks once for all who ask the same at the same time. */
async function askAbout<Raw, T>(
  part: ConversationPart,
  model: LanguageModel,
  question: Question<Raw, T>,
  asking: Asking,
): Promise<T> {
  const { services, tenant, call, signal } = asking;
  const hash = hashOf(part, model, question);
  const { name, prompt, kept } = question;
  const key: AnswerKey = { call, question: name, promptVersion: prompt.version, hash };
  const find = async () =>
    kept.safeParse(await tenant.connection((at) => findAnswer(at, key))).data;
  const stored = await find();
  if (stored !== undefined) return stored;
  const shareKey = `${tenant.orgId} ${call} ${name} ${hash.toString('hex')}`;
  await services.models.share(tenant.orgId, shareKey, signal, (shared) =>
    askWithinBudget(part, model, question, { ...asking, signal: shared }, key),
  );
  const answer = await find();
  if (answer === undefined) throw new AnalyzerError('its answer is not stored');
  return answer;
}

async function askWithinBudget<Raw, T>(
  part: ConversationPart,
  model: LanguageModel,
  question: Question<Raw, T>,
  asking: Asking,
  key: AnswerKey,
): Promise<void> {
  const { services, tenant } = asking;
  const { models, config } = services;
  const { orgId } = tenant;
  const { instructions } = question.prompt;
  const { mostOutputTokens } = question;
  const expected = mostUseOf({ instructions, prompt: part.prompt, mostOutputTokens });
  const next = {
    tokens: expected.inputTokens + expected.outputTokens,
    cost: model.price ? costOf(model.price, expected) : 0,
  };
  await models.reserve(orgId, next, async (reserved) => {
    const [budget, mayBeSent] = await tenant.connection(async (at) => [
      await readBudget(at),
      await mayBeAnalyzed(at, lineIdsOf(part.lines)),
    ]);
    // Each part waits for those before it.
    if (chosenModel(models, budget) !== model.id) throw new SwitchedOff();
    if (!mayBeSent) throw new ConversationChanged('Some of the conversation is no longer there.');
    if (isExhausted(budget, config.AI_MONTHLY_TOKENS, reserved)) throw new BudgetExhausted();
    await noteSending(tenant, model, question, key, part.prompt.length);
    await askAndStore(part, model, question, asking, key);
  });
}

/** Before the text leaves, because it has left even if the model then fails. */
const noteSending = (
  tenant: Tenant,
  { id, model, host }: LanguageModel,
  { name, prompt }: Question<unknown, unknown>,
  { call }: AnswerKey,
  characters: number,
): Promise<void> =>
  tenant.transaction((tx) =>
    recordEvent(tx, {
      action: 'AI_TEXT_SENT',
      entity: 'call',
      entityId: call,
      metadata: {
        provider: id,
        model,
        host,
        question: name,
        promptVersion: prompt.version,
        characters,
      },
    }),
  );

async function askAndStore<Raw, T>(
  { lines, prompt }: ConversationPart,
  model: LanguageModel,
  question: Question<Raw, T>,
  { services, tenant, signal }: Asking,
  key: AnswerKey,
): Promise<void> {
  const {
    prompt: { instructions },
    schema,
    mostOutputTokens,
    timeoutMs,
  } = question;
  // What was used counts even if the person who asked was removed meanwhile.
  const actor = { kind: 'system', name: 'models', orgId: tenant.orgId } as const;
  const system = tenantOf(services.database, actor, null);
  const store = (use: TokenUse, kept: T | null) =>
    system.transaction(async (tx) => {
      const ids = lineIdsOf(lines);
      const areLeft = (await lockExistingLines(tx, ids)).size === ids.length;
      await storeAnswer(tx, key, model, use, areLeft ? kept : null);
    });
  try {
    const asked = { instructions, prompt, schema, mostOutputTokens, timeoutMs };
    const { value, use } = await model.ask(asked, signal);
    const kept = question.keep(value, lines);
    await store(use, kept);
    if (kept === null)
      throw new AnalyzerError('nothing in its answer is proven by the conversation');
  } catch (error) {
    if (error instanceof ModelError && error.use.inputTokens > 0) await store(error.use, null);
    throw error;
  }
}

function hashOf(
  { prompt, lines }: ConversationPart,
  { id, model }: LanguageModel,
  { name, prompt: { version } }: Question<unknown, unknown>,
): Buffer {
  const content = JSON.stringify([id, model, name, version, prompt, lines]);
  return createHash('sha256').update(content).digest();
}
