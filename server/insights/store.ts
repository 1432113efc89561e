import { z } from 'zod';
import { type Analyzer, analyzer } from '#domain/ai/contract.ts';
import type { CallId } from '#domain/ids.ts';
import {
  type CallInsights,
  type Statement as CitedStatement,
  type Insights,
  insights,
} from '#domain/insights/contract.ts';
import { lockExistingLines } from '#server/ai/answers.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

interface Row {
  state: CallInsights['state'];
  insights: unknown;
  analyzer: unknown;
  generated_at: Date | null;
}

const insightsOfCall: Statement = {
  name: 'insights_of_call',
  // Where a process ended while it worked, they can be requested again.
  text: `select case when state = 'working' and requested_at < now() - interval '10 minutes'
      then 'failed' else state end as state, insights, analyzer, generated_at
    from call_insights where org_id = $1 and call_id = $2`,
};
const claimInsights: Statement = {
  name: 'claim_insights',
  text: `insert into call_insights as i (org_id, call_id, state) values ($1, $2, 'working')
    on conflict (call_id) do update set state = 'working', requested_at = now(),
      tries = case when i.state = 'failed' then i.tries else 0 end
      where i.state <> 'working' or i.requested_at < now() - interval '10 minutes'
    returning call_id`,
};
const keepInsights: Statement = {
  name: 'keep_insights',
  text: `insert into call_insights as i (org_id, call_id, state, insights, analyzer, generated_at)
    values ($1, $2, $3, $4, $5, clock_timestamp())
    on conflict (call_id) do update set state = excluded.state, insights = excluded.insights,
      analyzer = excluded.analyzer, generated_at = excluded.generated_at, tries = 0`,
};
const failInsights: Statement = {
  name: 'fail_insights',
  text: `update call_insights set state = 'failed', tries = tries + 1, requested_at = now()
    where org_id = $1 and call_id = $2`,
};
const forgetParts: Statement = {
  name: 'forget_parts_of_insights',
  text: `update ai_answers set answer = null
    where org_id = $1 and call_id = $2 and question = 'insights' and answer is not null`,
};

// A line moves once it is aligned with the recording (transcripts/alignment/).
const secondsOfLines: Statement = {
  name: 'seconds_of_cited_lines',
  text: `select id, start_ms as "startMs" from transcript_lines where org_id = $1 and id = any ($2)`,
};

const stored = z.object({ insights: insights.nullable(), analyzer: analyzer.nullable() });

/** Returns what is stored of a call. */
export async function findInsights(at: TenantConnection, call: CallId): Promise<CallInsights> {
  const [row] = await at.run<Row>(insightsOfCall, [at.tenant.orgId, call]);
  if (!row) return { state: 'none', insights: null, analyzer: null, generatedAt: null };
  const { state, generated_at: generatedAt } = row;
  const { insights: found, analyzer: by } = stored.parse(row);
  return {
    state,
    insights: found && (await atCurrentSeconds(at, found)),
    analyzer: by,
    generatedAt: generatedAt?.toISOString() ?? null,
  };
}

const citedLines = ({ summary, topics, questions }: Insights): string[] => [
  ...new Set(
    [...(summary ?? []), ...(topics ?? []), ...(questions ?? [])].flatMap(({ cites }) =>
      cites.flatMap((cited) => (cited.kind === 'line' ? [cited.lineId] : [])),
    ),
  ),
];

/** Returns the insights with citations that lead to where their lines are now. */
async function atCurrentSeconds(at: TenantConnection, found: Insights): Promise<Insights> {
  const ids = citedLines(found);
  if (ids.length === 0) return found;
  const lines = await at.run<{ id: string; startMs: number }>(secondsOfLines, [
    at.tenant.orgId,
    ids,
  ]);
  const seconds = new Map(lines.map(({ id, startMs }) => [id, startMs]));
  const moved = <T extends CitedStatement>(statements: T[] | null): T[] | null =>
    statements?.map((one) => ({
      ...one,
      cites: one.cites.map((cited) =>
        cited.kind === 'line'
          ? { ...cited, startMs: seconds.get(cited.lineId) ?? cited.startMs }
          : cited,
      ),
    })) ?? null;
  const { summary, topics, questions, ...rest } = found;
  return { ...rest, summary: moved(summary), topics: moved(topics), questions: moved(questions) };
}

/** Marks the insights of a call as being generated. @returns false if they already are */
export const claim = (tenant: Tenant, call: CallId): Promise<boolean> =>
  tenant.transaction(async (tx) => {
    const claimed = await tx.run(claimInsights, [tenant.orgId, call]);
    if (claimed.length === 0) return false;
    const event = { action: 'INSIGHTS_REQUESTED', entity: 'call', entityId: call } as const;
    await recordEvent(tx, event);
    return true;
  });

/**
 * Stores the insights of a call; null if there was nothing to read.
 * @param lines that were read: a sentence about one person may come from what another one said
 */
export async function keep(
  tenant: Tenant,
  call: CallId,
  by: Analyzer,
  found: Insights | null,
  lines: readonly string[],
): Promise<void> {
  await tenant.transaction(async (tx) => {
    const left = await lockExistingLines(tx, lines);
    // A person was removed meanwhile: what remains is read again.
    if (left.size < lines.length) {
      await tx.run(failInsights, [tenant.orgId, call]);
      return;
    }
    const state = found ? 'ready' : 'empty';
    const values = [found && JSON.stringify(found), JSON.stringify(by)];
    await tx.run(keepInsights, [tenant.orgId, call, state, ...values]);
    await tx.run(forgetParts, [tenant.orgId, call]);
    await recordEvent(tx, {
      action: 'INSIGHTS_GENERATED',
      entity: 'call',
      entityId: call,
      metadata: { ...by },
    });
  });
}

/** The job tries again later. */
export const noteFailure = (tenant: Tenant, call: CallId): Promise<unknown> =>
  tenant.connection(({ run }) => run(failInsights, [tenant.orgId, call]));
