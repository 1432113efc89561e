import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { takesLong } from '#server/platform/database-timeouts.ts';
import { countCalls } from './count-calls.ts';

const organizations: Statement = {
  name: 'organizations_to_rebuild',
  text: 'select id as "orgId", name from organizations order by id',
};
const repair: Statement = {
  name: 'repair_analytics_days',
  text: `select room_id as "roomId", playbook_id as "playbookId", agent_id as "agentId",
      case when isfinite(day) then to_char(day, 'YYYY-MM-DD') end as date, calls::float8 as calls
    from repair_analytics_days() order by day, grain`,
};
interface Difference {
  roomId: string | null;
  playbookId: string | null;
  agentId: string | null;
  date: string | null;
  calls: number;
}
const isCounted: Statement = {
  name: 'analytics_are_rebuilt',
  text: 'update organizations set calls_counted_at = coalesce(calls_counted_at, now()) where id = $1',
};

/**
 * Computes the figures of all organizations from their calls again, while Rapport runs or not.
 * @param say is told the progress, a line at a time
 * @returns every difference from the figures as they were, one on each line
 */
export async function rebuildAnalytics(
  database: Database,
  say: (line: string) => void,
): Promise<string> {
  const found = await database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId; name: string }>(organizations, []),
  );
  const lines: string[] = [];
  let calls = 0;
  for (const [index, { orgId, name }] of found.entries()) {
    const tenant = tenantOf(database, { kind: 'system', name: 'operator', orgId }, null);
    const about = `${index + 1} of ${found.length}, ${name}`;
    const counted = await countCalls(tenant, (soFar) => say(`  ${about}: ${soFar} calls`));
    const differences = await tenant.transaction(async ({ run }) => {
      await run(takesLong, []);
      await run(isCounted, [orgId]);
      return run<Difference>(repair, []);
    });
    calls += counted.calls;
    lines.push(
      ...counted.corrected.map((id) => `  ${name}: the call ${id} was not counted correctly`),
    );
    lines.push(...differences.map((difference) => `  ${name}: ${sentenceOf(difference)}`));
  }
  const result =
    lines.length === 0
      ? 'All figures were correct.'
      : `Repaired differences: ${lines.length}\n${lines.join('\n')}`;
  return `Completed calls: ${calls}, organizations: ${found.length}. ${result}`;
}

function sentenceOf({ roomId, playbookId, agentId, date, calls }: Difference): string {
  const of = [
    roomId && `room ${roomId}`,
    playbookId && `playbook ${playbookId}`,
    agentId && `agent ${agentId}`,
  ].filter((text) => text !== null);
  const what = `the sums of ${date ?? 'all days'}${of.length > 0 ? `, ${of.join(', ')}` : ''}`;
  if (calls === 0) return `${what} were wrong`;
  return calls > 0 ? `${what} lacked calls: ${calls}` : `${what} had too many calls: ${-calls}`;
}
