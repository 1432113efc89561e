import type { CallId, ParticipantId, RoomId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** Someone who is in the call, or holds a token with which they could enter it now. */
export interface PersonOfRoom {
  id: ParticipantId;
  isPresent: boolean;
  /** Null before the first answer. */
  agrees: boolean | null;
  /** When the newest answer was given, as ISO 8601. */
  answeredAt: string | null;
}

/** A room whose running call is to be recorded. */
export interface RecordedRoom {
  callId: CallId;
  people: PersonOfRoom[];
}

// Who left needs a new token to return, and a member who opened the call again is the same person.
const readRoom: Statement = {
  name: 'people_of_recorded_room',
  text: `select c.id as "callId", coalesce((
      select json_agg(json_build_object('id', p.id, 'isPresent', p.is_present,
        'agrees', 'recording' = any (n.agreed), 'answeredAt', n.answered_at))
      from (
        select a.id, true as is_present from attendances a
        where a.org_id = c.org_id and a.call_id = c.id and a.left_at is null
        union all
        select t.participant_id, false from hosted_tokens t
        where t.org_id = c.org_id and t.room_id = c.room_id and t.expires_at > now() - interval '1 minute'
          and not exists (select from attendances a where a.org_id = c.org_id and a.call_id = c.id
            and (a.id = t.participant_id or a.account_id = t.account_id and a.left_at is null))
      ) p left join lateral (
        select s.agreed, s.answered_at from consents s
        where s.org_id = c.org_id and s.participant_id = p.id and 'recording' = any (s.asked)
        order by s.id desc limit 1
      ) n on true), '[]') as people
    from calls c
    where c.org_id = $1 and c.room_id = $2 and c.ended_at is null
      and exists (select from captures k where k.org_id = c.org_id and k.call_id = c.id
        and k.kind = 'recording' and k.stopped_at is null)`,
};

/** Returns null while nothing is to be recorded. */
export async function readPeople(
  { run, tenant }: TenantConnection,
  room: RoomId,
): Promise<RecordedRoom | null> {
  const [row] = await run<RecordedRoom & Record<string, unknown>>(readRoom, [tenant.orgId, room]);
  return row ?? null;
}

/** When someone first declined after this time; null if nobody did. */
export function declinedSince({ people }: RecordedRoom, since: Date): Date | null {
  const times = people
    .filter(({ agrees }) => agrees === false)
    .map(({ answeredAt }) => Date.parse(answeredAt ?? ''))
    .filter((time) => time > since.getTime());
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/** How many people have yet to agree. */
export const waitingFor = ({ people }: RecordedRoom): number =>
  people.filter(({ agrees }) => agrees !== true).length;

/** A recording begins only when everyone agrees who is there, or could be there in a moment. */
export const mayStart = (room: RecordedRoom): boolean =>
  room.people.some(({ isPresent }) => isPresent) && waitingFor(room) === 0;

/**
 * A recording goes on while nobody declines. Who has not answered yet is kept from the provider's page by ours, and
 * ends the recording by entering it (hosted-events.ts).
 */
export const mayContinue = ({ people }: RecordedRoom): boolean =>
  people.some(({ isPresent }) => isPresent) && people.every(({ agrees }) => agrees !== false);
