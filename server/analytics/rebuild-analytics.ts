import type { OrgId } from '#domain/ids.ts';
import { cleanLine } from '#server/mail/clean-name.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { takesLong } from '#server/platform/database-timeouts.ts';
import { callsAreCounted, countCalls } from './count-calls.ts';

const organizations: Statement = {
  name: 'organizations_to_rebuild',
  text: `select id as "orgId", name, calls_counted_at is not null as "isCounted"
    from organizations order by id`,
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

/**
 * Computes the figures of all organizations from their calls again, while Rapport runs or not.
 * @param say is told the progress and every difference from the figures as they were, a line at a time
 * @returns what was found in all
 */
export async function rebuildAnalytics(
  database: Database,
  say: (line: string) => void,
): Promise<string> {
  const found = await database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId; name: string; isCounted: boolean }>(organizations, []),
  );
  let calls = 0;
  let differences = 0;
  for (const [index, { orgId, name: asEntered, isCounted }] of found.entries()) {
    const name = cleanLine(asEntered);
    const tenant = tenantOf(database, { kind: 'system', name: 'operator', orgId }, null);
    const about = `${index + 1} of ${found.length}, ${name}`;
    const differs = (what: string) => {
      differences += 1;
      say(`  ${name}: ${what}`);
    };
    calls += await countCalls(tenant, (soFar, corrected) => {
      say(`  ${about}: ${soFar} calls${isCounted ? '' : ', counted for the first time'}`);
      if (!isCounted) return;
      for (const id of corrected) differs(`the call ${id} was not counted correctly`);
    });
    const repaired = await tenant.transaction(async ({ run }) => {
      await run(takesLong, []);
      await run(callsAreCounted, [orgId]);
      return run<Difference>(repair, []);
    });
    if (isCounted) repaired.map(sentenceOf).forEach(differs);
  }
  const result =
    differences === 0 ? 'All figures were correct.' : `Repaired differences: ${differences}.`;
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
