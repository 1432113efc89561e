import type { BrowserId, CallId, ParticipantId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import { actingAccount } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';

/** SQL for whether anyone has attended a call, which is named in the query as `call`. */
const isAttended = (call: string) =>
  `exists (select 1 from attendances attended
      where attended.org_id = ${call}.org_id and attended.call_id = ${call}.id)`;

/**
 * SQL for the start of a running call as people see it, and for whether someone has joined. Before that, the time
 * at which the server created it replaces a start that a client sent.
 */
export const shownStart = (call: string) =>
  `case when ${isAttended(call)} then ${call}.started_at else ${call}.created_at end`;
export const hasJoined = (call: string) => `(not ${call}.attendance_known or ${isAttended(call)})`;

/**
 * SQL for the start of a call that a person joins now: the first person moves it to this moment, or to the time
 * of the call's creation where it is not known who joins.
 */
export const attendedStart = (call: string) =>
  `case when ${isAttended(call)} then ${call}.started_at
    when ${call}.attendance_known then now() else ${call}.created_at end`;

// Locks the call first, as ending it does. The opposite order could deadlock.
const attendIf = (name: string, condition: string): Statement => ({
  name,
  text: `with running as materialized (
      select id from calls where org_id = $2 and id = $3 and ended_at is null for no key update
    ), present as (
      insert into attendances (id, org_id, call_id, kind, account_id, name, browser_id)
      select $1, $2, id, $4, $5, $6, $7 from running where ${condition}
      on conflict (id) do update set left_at = null, last_seen_at = now()
        where attendances.call_id = excluded.call_id
      returning call_id
    )
    update calls set last_seen_at = now(), started_at = ${attendedStart('calls')}
      where id in (select call_id from present)
      returning started_at as "startedAt", not ${isAttended('calls')} as "isFirst"`,
});
/**
 * Each opened page is a new participant, and lists of calls read all attendances. Beyond this many in a call, an
 * account's return continues the newest that has ended.
 */
const mostOfAccount = 20;
/** Up to here, pages that are opened at the same moment do not pass it together. */
const fewOfAccount = 10;

const attend = attendIf('attend_call', 'true');
const attendAsOneOfFew = attendIf(
  'attend_call_as_one_of_few',
  `(select count(*) from attendances other
    where other.org_id = $2 and other.call_id = $3 and other.account_id = $5) < ${fewOfAccount}`,
);

const holdRunning: Statement = {
  name: 'hold_running_call',
  text: `select id from calls where org_id = $1 and id = $2 and ended_at is null for no key update`,
};
// The attendance takes the new participant's id, and with it the messages, by which they are found to be erased.
const continueNewest: Statement = {
  name: 'continue_newest_attendance',
  text: `with newest as materialized (
      select id from attendances
      where org_id = $1 and call_id = $2 and account_id = $3 and left_at is not null
        and not exists (select 1 from attendances own where own.id = $4)
        and (select count(*) from attendances other
          where other.org_id = $1 and other.call_id = $2 and other.account_id = $3) >= ${mostOfAccount}
      order by joined_at desc limit 1
    ), written as (
      update chat_messages set participant_id = $4
      where org_id = $1 and participant_id in (select id from newest)
    )
    update attendances set id = $4, left_at = null, last_seen_at = now()
    where id in (select id from newest)`,
};
const leave: Statement = {
  name: 'leave_call',
  text: `update attendances set left_at = now(), last_seen_at = now()
    where org_id = $1 and id = $2 and left_at is null`,
};
const touch: Statement = { name: 'touch_attendances', text: 'select touch_attendances($1)' };
const touchCalls: Statement = { name: 'touch_calls', text: 'select touch_calls($1)' };
const noteOpened: Statement = {
  name: 'note_opened_call',
  text: `update calls set opened_at = now(), last_seen_at = now()
    where org_id = $1 and id = $2 and ended_at is null and opened_at is null`,
};

export interface Attendee {
  id: ParticipantId;
  kind: 'staff' | 'guest';
  name: string;
  browserId?: BrowserId | undefined;
}

/**
 * Records that a participant is in a call. A return continues the same attendance, and so does a new page of an
 * account with many attendances in the call.
 * @returns the start of the call if this is the first person in it, else null
 */
export async function beginAttendance(
  tenant: Tenant,
  call: CallId,
  who: Attendee,
): Promise<Date | null> {
  const { orgId } = tenant;
  const account = actingAccount(tenant);
  const values = [who.id, orgId, call, who.kind, account, who.name, who.browserId ?? null];
  const first = account ? attendAsOneOfFew : attend;
  const [attended] = await tenant.connection(({ run }) =>
    run<{ startedAt: Date; isFirst: boolean }>(first, values),
  );
  if (attended?.isFirst) return attended.startedAt;
  if (attended || !account) return null;
  await tenant.transaction(async ({ run }) => {
    // The count sees what others have stored only in a statement that begins after the lock.
    const running = await run(holdRunning, [orgId, call]);
    if (running.length === 0) return;
    await run(continueNewest, [orgId, call, account, who.id]);
    await run(attend, values);
  });
  return null;
}

/** Records that a page of the call is open whose person has not joined. */
export async function noteOpenedCall(tenant: Tenant, call: CallId): Promise<void> {
  await tenant.connection(({ run }) => run(noteOpened, [tenant.orgId, call]));
}

export async function endAttendance(tenant: Tenant, id: ParticipantId): Promise<void> {
  await tenant.connection(({ run }) => run(leave, [tenant.orgId, id]));
}

/** Sets the last-seen time of participants of any organizations, and of their calls, to now. */
export async function touchAttendances(database: Database, ids: ParticipantId[]): Promise<void> {
  if (ids.length > 0) await database.connection('outside', ({ run }) => run(touch, [ids]));
}

/** Sets the last-seen time of running calls of any organizations to now. */
export async function touchOpenCalls(database: Database, ids: CallId[]): Promise<void> {
  if (ids.length > 0) await database.connection('outside', ({ run }) => run(touchCalls, [ids]));
}
