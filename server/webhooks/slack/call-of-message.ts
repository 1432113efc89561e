import type { Call } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { agentOfCall } from '#server/calls/store.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** What a message tells about a call. */
export interface CallOfMessage {
  id: CallId;
  topic: string;
  durationSec: number | null;
  agent: Call['agent'];
  /** Of the first who attended. */
  names: string[];
  /** How many others attended; at least, if `isCut`. */
  more: number;
  isCut: boolean;
}

const mostNames = 5;
/** A call may have thousands, because each time that a guest enters is one. */
const mostAttendances = 105;

const callOfMessage: Statement = {
  name: 'call_of_slack_message',
  text: `select c.id, r.topic, c.duration_sec as "durationSec", ${agentOfCall} as agent,
      coalesce(people.names, '{}') as names,
      greatest(people.n - ${mostNames}, 0) as more, people.looked_at = ${mostAttendances} as "isCut"
    from calls c join rooms r on r.id = c.room_id
    cross join lateral (
      select (array_agg(person.name order by person.joined_at))[1:${mostNames}] as names,
        count(*)::integer as n, coalesce(sum(person.times), 0)::integer as looked_at
      from (
        select (array_agg(name order by joined_at))[1] as name, min(joined_at) as joined_at,
          count(*) as times
        from (
          select coalesce(t.account_id, t.id) as who, t.name, t.joined_at from attendances t
          where t.call_id = c.id order by t.joined_at limit ${mostAttendances}
        ) first
        group by who
      ) person
    ) people
    where c.org_id = $1 and c.id = $2`,
};

/** Reads a few of those who attended, however many there are. Null for a call that was deleted. */
export async function findCallOfMessage(tenant: Tenant, id: CallId): Promise<CallOfMessage | null> {
  const [row] = await tenant.connection(({ run }) =>
    run<CallOfMessage & Record<string, unknown>>(callOfMessage, [tenant.orgId, id]),
  );
  return row ?? null;
}
