import type { CallId, ParticipantId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/*
 * A member of staff is another participant on each page: after a reload, and on a second device. What was captured of
 * them is shown and removed as one person's.
 */

/**
 * SQL for the participant under which a row's person first joined the call.
 * @param row a table that has org_id, call_id, participant_id, and account_id
 */
export const samePerson = (row: string) =>
  `case when ${row}.account_id is null then ${row}.participant_id
    else coalesce((select f.id from attendances f
      where f.org_id = ${row}.org_id and f.call_id = ${row}.call_id and f.account_id = ${row}.account_id
      order by f.joined_at, f.id limit 1), ${row}.participant_id) end`;

const participants: Statement = {
  name: 'participants_of_same_person',
  text: `select a.id from attendances own
    join attendances a on a.org_id = own.org_id and a.call_id = own.call_id and a.account_id = own.account_id
    where own.org_id = $1 and own.call_id = $2 and own.id = $3`,
};

/** Returns all participants of a call that are the same person as this one, who is among them. */
export async function participantsOf(
  tx: TenantConnection,
  call: CallId,
  participant: ParticipantId,
): Promise<ParticipantId[]> {
  const rows = await tx.run<{ id: ParticipantId }>(participants, [
    ...[tx.tenant.orgId, call, participant],
  ]);
  return [...new Set([participant, ...rows.map(({ id }) => id)])];
}
