import {
  type Attendance,
  type CallDetails,
  mostAttendances,
  type Rating,
} from '#domain/calls/contract.ts';
import type { CallId, ChecklistItemId } from '#domain/ids.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { lockRoomOfCall } from './lock-room-of-call.ts';
import { readCall } from './store.ts';

const aroundCall: Statement = {
  name: 'around_call',
  text: `select r.archived_at, p.id as playbook_id, p.title as playbook_title,
      exists (select from legal_holds h where h.org_id = c.org_id and h.call_id = c.id) as is_held
    from calls c
    join rooms r on r.id = c.room_id
    left join playbooks p on p.org_id = c.org_id and p.id = c.playbook_id
    where c.org_id = $1 and c.id = $2`,
};
const attendancesOfCall: Statement = {
  name: 'attendances_of_call',
  text: `select t.id, t.kind, t.account_id as "accountId", t.name, a.profile_image_url as avatar,
      t.joined_at as "joinedAt", t.left_at as "leftAt"
    from (select * from attendances where org_id = $1 and call_id = $2
      order by joined_at limit ${mostAttendances}) t
    left join known_people a on a.id = t.account_id
    order by t.joined_at, t.id`,
};
const ticksOfCall: Statement = {
  name: 'ticks_of_call',
  text: `select item_id as "itemId", checked_at as "checkedAt" from call_checklist_items
    where org_id = $1 and call_id = $2 and checked_at is not null`,
};
/** Of a call's ratings, which have up to 5,000 characters of feedback, the newest are read: so many, of so many bytes. */
const mostRatings = 200;
const mostFeedbackBytes = 1_000_000;
const ratingsOfCall: Statement = {
  name: 'ratings_of_call',
  text: `select g.id, g.kind, g.score, g.feedback, g.updated_at as "ratedAt",
      coalesce(t.name, nullif(trim(a.first_name || ' ' || a.last_name), ''), a.email) as name
    from (
      select newest.*, sum(octet_length(to_json(coalesce(feedback, ''))::text)) over (order by updated_at desc, id) as bytes
      from (select * from ratings where org_id = $1 and call_id = $2
        order by updated_at desc limit ${mostRatings}) newest
    ) g
    left join known_people a on a.id = g.account_id
    left join lateral (select name from attendances where id = g.attendance_id limit 1) t on true
    where g.bytes <= ${mostFeedbackBytes}
    order by g.updated_at desc`,
};

const lockCall: Statement = {
  name: 'lock_call_itself',
  text: 'select 1 from calls where org_id = $1 and id = $2 for no key update',
};

interface AroundRow {
  archived_at: Date | null;
  playbook_id: NonNullable<CallDetails['playbook']>['id'] | null;
  playbook_title: string | null;
  is_held: boolean;
}
type AttendanceRow = Omit<Attendance, 'joinedAt' | 'leftAt'> & {
  joinedAt: Date;
  leftAt: Date | null;
};
type RatingRow = Omit<Rating, 'ratedAt'> & { ratedAt: Date };

/** @throws DomainError 404 */
export const findCallDetails = (tenant: Tenant, id: CallId): Promise<CallDetails> =>
  tenant.connection((at) => readDetails(at, id));

/** Like `findCallDetails`, with the call locked until the transaction ends. @throws DomainError 404 */
export async function holdCallDetails(tx: TenantConnection, id: CallId): Promise<CallDetails> {
  await lockRoomOfCall(tx, id);
  await tx.run(lockCall, [tx.tenant.orgId, id]);
  return readDetails(tx, id);
}

async function readDetails(at: TenantConnection, id: CallId): Promise<CallDetails> {
  const key = [at.tenant.orgId, id];
  const [call, [around], ticks, attendances, ratings] = await Promise.all([
    readCall(at, id),
    at.run<AroundRow>(aroundCall, key),
    at.run<{ itemId: ChecklistItemId; checkedAt: Date }>(ticksOfCall, key),
    at.run<AttendanceRow>(attendancesOfCall, key),
    at.run<RatingRow>(ratingsOfCall, key),
  ]);
  const { playbook_id: playbookId, playbook_title: title } = around ?? {};
  return {
    ...call,
    room: { ...call.room, status: around?.archived_at ? 'archived' : 'active' },
    playbook: playbookId && typeof title === 'string' ? { id: playbookId, title } : null,
    tickedAt: Object.fromEntries(
      ticks.map(({ itemId, checkedAt }) => [itemId, checkedAt.toISOString()]),
    ),
    attendances: attendances.map((stay) => ({
      ...stay,
      joinedAt: stay.joinedAt.toISOString(),
      leftAt: stay.leftAt?.toISOString() ?? null,
    })),
    ratings: ratings.map((each) => ({ ...each, ratedAt: each.ratedAt.toISOString() })),
    ...(around?.is_held ? { legalHold: true as const } : {}),
  };
}
