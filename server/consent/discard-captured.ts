import { DomainError, notFound } from '#domain/errors.ts';
import type { AccountId, CallId, ParticipantId } from '#domain/ids.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { forgetKeptAnswers } from './forget-kept-answers.ts';
import { isNotHeld } from './held-words.ts';
import { notePeopleOfAllTogether, notePeopleOfCallTogether } from './people-together.ts';

/*
 * What was captured of people is deleted here and nowhere else, so that nothing is forgotten. The files follow: each
 * deleted segment leaves a row in discarded_files, by trigger.
 */

const lockCall: Statement = {
  name: 'lock_captured_call',
  text: 'select from calls where org_id = $1 and id = $2 for no key update',
};
// A statement of its own, which sees the hold that the lock has waited for.
const heldCall: Statement = {
  name: 'held_call',
  text: 'select from legal_holds where org_id = $1 and call_id = $2',
};

/** Whether a hold keeps the data of a call, which the caller has locked. */
export const isHeld = async ({ run, tenant }: TenantConnection, call: CallId): Promise<boolean> =>
  (await run(heldCall, [tenant.orgId, call])).length > 0;

/**
 * Locks the call against a legal hold that is placed meanwhile.
 * @returns whether a hold keeps its data; null if there is no such call
 */
export async function lockedIsHeld(tx: TenantConnection, call: CallId): Promise<boolean | null> {
  const found = await tx.run(lockCall, [tx.tenant.orgId, call]);
  return found.length > 0 ? isHeld(tx, call) : null;
}

/** Locks the call, as `lockedIsHeld` does. @throws DomainError 404, 409 under a legal hold */
export async function requireNotHeld(tx: TenantConnection, call: CallId): Promise<void> {
  const held = await lockedIsHeld(tx, call);
  if (held === null) throw notFound();
  if (held) throw underLegalHold();
}

export const underLegalHold = () =>
  new DomainError(
    'conflict',
    'legal_hold',
    'This call is under legal hold, so nothing of it can be changed or deleted. Ask your admin to lift the hold.',
  );

const discardPeople: Statement = {
  name: 'discard_captured_people',
  text: `with tracks as (
      delete from recorded_tracks
      where org_id = $1 and call_id = $2 and participant_id = any ($3) returning participant_id
    ), lines as (
      delete from transcript_lines
      where org_id = $1 and call_id = $2 and participant_id = any ($3) returning participant_id
    ), gaps as (
      delete from transcript_gaps
      where org_id = $1 and call_id = $2 and participant_id = any ($3)
    ), together as (
      -- Nobody can be taken out of one picture.
      delete from recorded_segments s where s.org_id = $1 and s.id in (
        select p.segment_id from recorded_segment_people p
        where p.org_id = $1 and p.call_id = $2 and p.participant_id = any ($3)) returning s.id
    )
    select ((select count(*) from tracks) + (select count(*) from lines)
      + (select count(*) from together))::int as discarded`,
};
const discardEmptyTracks: Statement = {
  name: 'discard_empty_tracks_of_everyone',
  text: `delete from recorded_tracks t where t.org_id = $1 and t.call_id = $2 and t.source = 'everyone'
    and not exists (select from recorded_segments s where s.org_id = t.org_id and s.track_id = t.id)`,
};
const hold: Statement = {
  name: 'hold_removals',
  text: `insert into held_removals (org_id, call_id, participant_id)
    select $1, $2, unnest($3::uuid[]) on conflict do nothing`,
};

/**
 * Deletes what was recorded and transcribed of participants of a call. Under a legal hold, this is noted and done when
 * the hold is lifted.
 */
export async function discardCaptured(
  tx: TenantConnection,
  call: CallId,
  participant: ParticipantId | readonly ParticipantId[],
): Promise<'discarded' | 'held' | 'nothing'> {
  const people = [participant].flat();
  const values = [tx.tenant.orgId, call, people];
  if (await lockedIsHeld(tx, call)) {
    await tx.run(hold, values);
    return 'held';
  }
  await notePeopleOfCallTogether(tx, call);
  const [row] = await tx.run<{ discarded: number }>(discardPeople, values);
  await tx.run(discardEmptyTracks, [tx.tenant.orgId, call]);
  await forgetKeptAnswers(tx);
  return row && row.discarded > 0 ? 'discarded' : 'nothing';
}

const participantsOfAccount: Statement = {
  name: 'captured_participants_of_account',
  text: `select participant_id as "participantId" from recorded_tracks
      where org_id = $1 and call_id = $2 and account_id = $3
    union
    select participant_id from transcript_lines where org_id = $1 and call_id = $2 and account_id = $3
    union
    select participant_id from recorded_segment_people where org_id = $1 and call_id = $2 and account_id = $3`,
};

// A guest is known by the browser's cookie, as where hosts remove them.
const participantsOfBrowser: Statement = {
  name: 'captured_participants_of_browser',
  text: `select t.id as "participantId" from attendances t join attendances own
      on own.org_id = t.org_id and own.call_id = t.call_id and own.browser_id = t.browser_id
    where t.org_id = $1 and t.call_id = $2 and own.id = $3 and t.kind = 'guest' and own.kind = 'guest'`,
};

/**
 * Returns the participants under which a person was captured in a call: a member has one for each page, and a guest for
 * each tab.
 */
export async function capturedAs(
  tx: TenantConnection,
  call: CallId,
  own: ParticipantId,
): Promise<ParticipantId[]> {
  const account = actingAccount(tx.tenant);
  const found = await tx.run<{ participantId: ParticipantId }>(
    account ? participantsOfAccount : participantsOfBrowser,
    [tx.tenant.orgId, call, account ?? own],
  );
  return [...new Set([own, ...found.map(({ participantId }) => participantId)])];
}

const discardAll: Statement = {
  name: 'discard_recordings',
  text: `with tracks as (
      delete from recorded_tracks where org_id = $1 and call_id = $2 returning call_id
    ), lines as (
      delete from transcript_lines where org_id = $1 and call_id = $2 returning call_id
    ), gaps as (
      delete from transcript_gaps where org_id = $1 and call_id = $2
    ), noted as (
      insert into recording_removals (call_id, org_id, reason, removed_by)
      select call_id, $1, 'deleted', $3 from tracks group by call_id
      on conflict (call_id) do update
        set reason = excluded.reason, removed_at = now(), removed_by = excluded.removed_by
    )
    select ((select count(*) from tracks) + (select count(*) from lines))::int as discarded`,
};

/** Deletes the recording and the transcript of a call. @returns whether there were any */
export async function discardRecording(
  tx: TenantConnection,
  call: CallId,
  by: AccountId | null,
): Promise<boolean> {
  const [row] = await tx.run<{ discarded: number }>(discardAll, [tx.tenant.orgId, call, by]);
  await forgetKeptAnswers(tx);
  return row !== undefined && row.discarded > 0;
}

interface Captured {
  callId: CallId;
  participantId: ParticipantId;
}
// Those that wait for a hold to be lifted are left out, so that each pass gets further.
const notHeld = isNotHeld('x');
const capturedOfAccount: Statement = {
  name: 'captured_of_account',
  text: `select distinct call_id as "callId", participant_id as "participantId" from (
      (select x.call_id, x.participant_id from recorded_tracks x
        where x.org_id = $1 and x.account_id = $2 and x.created_at <= $3 and ${notHeld} limit $4)
      union all
      (select x.call_id, x.participant_id from transcript_lines x
        where x.org_id = $1 and x.account_id = $2 and x.created_at <= $3 and ${notHeld} limit $4)
      union all
      (select x.call_id, x.participant_id from recorded_segment_people x
        where x.org_id = $1 and x.account_id = $2 and x.added_at <= $3 and ${notHeld} limit $4)
    ) captured limit $4`,
};
const erasureOf: Statement = {
  name: 'erasure_requested',
  text: `select coalesce((select requested_at from erasures where org_id = $1 and account_id = $2), now())
    as "requestedAt"`,
};
const participantsAtOnce = 50;

/** Deletes some of what was captured of a member. @returns whether there may be more */
export async function discardOfAccount(tx: TenantConnection, account: AccountId): Promise<boolean> {
  const { orgId } = tx.tenant;
  await notePeopleOfAllTogether(tx);
  const [erasure] = await tx.run<{ requestedAt: Date }>(erasureOf, [orgId, account]);
  const values = [orgId, account, erasure?.requestedAt, participantsAtOnce];
  const found = await tx.run<Captured & Record<string, unknown>>(capturedOfAccount, values);
  for (const { callId, participantId } of found) await discardCaptured(tx, callId, participantId);
  return found.length > 0;
}

const capturedOfGuest: Statement = {
  name: 'captured_of_guest',
  text: `select a.call_id as "callId", a.id as "participantId" from attendances a
    where a.org_id = $1 and a.id in (select attendances_of_guest($2))
      and (exists (select from recorded_tracks t
          where t.org_id = a.org_id and t.call_id = a.call_id and t.participant_id = a.id)
        or exists (select from recorded_segment_people p
          where p.org_id = a.org_id and p.call_id = a.call_id and p.participant_id = a.id)
        or exists (select from transcript_lines l
          where l.org_id = a.org_id and l.call_id = a.call_id and l.participant_id = a.id))`,
};

/**
 * Deletes what was captured of a guest.
 * @param name of the guest, in lower case
 * @returns in how many calls the guest was captured
 */
export async function discardOfGuest(tx: TenantConnection, name: string): Promise<number> {
  const values = [tx.tenant.orgId, name];
  await notePeopleOfAllTogether(tx);
  const found = await tx.run<Captured & Record<string, unknown>>(capturedOfGuest, values);
  for (const { callId, participantId } of found) await discardCaptured(tx, callId, participantId);
  return found.length;
}
