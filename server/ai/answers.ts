import { z } from 'zod';
import type { CitableLine } from '#domain/ai/evidence.ts';
import type { CallId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { LanguageModel, TokenUse } from '#server/providers/ai/port.ts';

export interface AnswerKey {
  call: CallId;
  question: string;
  promptVersion: number;
  hash: Buffer;
}

const answerId = z.uuid();
/** Their newest answer only is worth keeping. */
const live = ['sentiment', 'coaching'];

const storedAnswer: Statement = {
  name: 'stored_ai_answer',
  text: `select answer from ai_answers
    where org_id = $1 and call_id = $2 and question = $3 and content_hash = $4
      and answer is not null order by id desc limit 1`,
};
const insertAnswer: Statement = {
  name: 'insert_ai_answer',
  text: `insert into ai_answers (org_id, id, call_id, question, prompt_version, content_hash, provider,
      model, input_tokens, output_tokens, cost, answer)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};
const forgetSuperseded: Statement = {
  name: 'forget_superseded_ai_answers',
  text: `update ai_answers set answer = null
    where org_id = $1 and call_id = $2 and question = $3 and id <> $4 and answer is not null`,
};
const addUsage: Statement = {
  name: 'add_ai_usage',
  text: `insert into ai_usage as u (org_id, month, provider, model, answers, input_tokens, output_tokens, cost)
    values ($1, date_trunc('month', now() at time zone 'UTC')::date, $2, $3, 1, $4, $5, $6)
    on conflict (org_id, month, provider, model) do update set answers = u.answers + 1,
      input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens,
      cost = case when u.cost is null then excluded.cost
        else u.cost + coalesce(excluded.cost, 0) end`,
};
const lockLines: Statement = {
  name: 'lock_cited_lines',
  text: `select id from transcript_lines where org_id = $1 and id = any ($2) for key share`,
};

/** Returns what was kept of the answer to the same question about the same content; undefined without one. */
export async function findAnswer(
  at: TenantConnection,
  { call, question, hash }: AnswerKey,
): Promise<unknown> {
  const values = [at.tenant.orgId, call, question, hash];
  const [row] = await at.run<{ answer: unknown }>(storedAnswer, values);
  return row?.answer;
}

/** Stores what an answer used, and what is kept of it. */
export async function storeAnswer(
  tx: TenantConnection,
  { call, question, promptVersion, hash }: AnswerKey,
  { id: provider, model, price }: LanguageModel,
  use: TokenUse,
  answer: unknown,
): Promise<void> {
  const { orgId } = tx.tenant;
  const { inputTokens, outputTokens } = use;
  const cost = price === null ? null : costOf(price, use);
  const id = newId(answerId);
  await tx.run(insertAnswer, [
    ...[orgId, id, call, question, promptVersion, hash, provider, model],
    ...[inputTokens, outputTokens, cost, answer === null ? null : JSON.stringify(answer)],
  ]);
  await tx.run(addUsage, [orgId, provider, model, inputTokens, outputTokens, cost]);
  if (live.includes(question)) await tx.run(forgetSuperseded, [orgId, call, question, id]);
}

/** Returns millionths of the currency. */
export const costOf = (price: { input: number; output: number }, use: TokenUse): number =>
  Math.ceil((use.inputTokens * price.input + use.outputTokens * price.output) / 1_000_000);

/**
 * Locks lines of the transcript until the end of the transaction, so that what is derived from them is stored before
 * they are deleted, and deleted with them.
 * @returns the ids of those that still exist
 */
export async function lockExistingLines(
  tx: TenantConnection,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.run<{ id: string }>(lockLines, [tx.tenant.orgId, ids]);
  return new Set(rows.map(({ id }) => id));
}

export const lineIdsOf = (lines: readonly CitableLine[]): string[] =>
  lines.flatMap(({ source }) => (source.kind === 'line' ? [source.lineId] : []));
