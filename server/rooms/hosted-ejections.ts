import type { OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { spent } from './hosted-tokens.ts';

/** People whom the provider has to send out of a room. */
export interface HostedEjection {
  orgId: OrgId;
  roomId: RoomId;
  people: ParticipantId[];
  ban: boolean;
}

const mark: Statement = {
  name: 'mark_hosted_ejection',
  text: `update hosted_tokens set eject_ban = $3
    where org_id = $1 and participant_id = any ($2) and eject_ban is distinct from true`,
};
// A token that may still admit is kept, so that its holder is found when they join.
const confirm: Statement = {
  name: 'confirm_hosted_ejection',
  text: `with gone as (
      delete from hosted_tokens
        where org_id = $1 and participant_id = any ($2) and eject_ban = $3 and ${spent}
    )
    update hosted_tokens set eject_ban = null
    where org_id = $1 and participant_id = any ($2) and eject_ban = $3 and not ${spent}`,
};
const due: Statement = {
  name: 'hosted_people_to_eject',
  text: `select org_id as "orgId", room_id as "roomId", people, eject_ban as ban
    from hosted_people_to_eject()`,
};

/**
 * The statements of an ejection take no part of their organization's connections, which its own work may have
 * used up: few at a time, and organizations take turns.
 */
const writes = new FairQueue({ atOnce: 4, perKey: 2, mostWaiting: Number.POSITIVE_INFINITY });

/** Stores that people have to leave, until `confirmEjection`. A ban is not taken back. */
export const markEjection = (
  tenant: Tenant,
  people: readonly ParticipantId[],
  ban: boolean,
): Promise<void> => write(tenant, mark, [tenant.orgId, people, ban]);

/** The provider has sent these people out, as `markEjection` asked. */
export const confirmEjection = (
  tenant: Tenant,
  people: readonly ParticipantId[],
  ban: boolean,
): Promise<void> => write(tenant, confirm, [tenant.orgId, people, ban]);

const write = (tenant: Tenant, statement: Statement, values: unknown[]): Promise<void> =>
  writes.run(tenant.orgId, async () => {
    await tenant.connection(({ run }) => run(statement, values), { isUrgent: true });
  });

/** Returns the ejections that the provider has not confirmed: a few, of all organizations in turn. */
export function dueEjections(database: Database): Promise<HostedEjection[]> {
  return database.background(({ run }) => run<HostedEjection>(due, []));
}
