import { longestWaitMinutes, type WaitingGuest } from '#domain/calls/live.ts';
import type { ParticipantId, RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';

/** Whose page has said nothing for this long is not there: its network is gone, or its server. */
export const silentGuestSeconds = 20;
/** A guest who comes back within this time, after a reload say, keeps the place. */
const keptPlaceSeconds = 60;

// What was decided stays: asking again answers no row then, unless being let in has run out.
const ask: Statement = {
  name: 'ask_to_come_in',
  text: `insert into lobby_entries as e (participant_id, org_id, room_id, name, browser_id)
    select $2, r.org_id, r.id, $4, $7 from rooms r
      where r.org_id = $1 and r.id = $3 and r.archived_at is null
    on conflict (participant_id) do update set
      name = excluded.name, seen_at = now(), left_at = null,
      state = 'waiting', decided_at = null, decided_by = null,
      waiting_since = case
        when e.state = 'waiting' and e.waiting_since > now() - $5 * interval '1 minute'
          and coalesce(e.left_at, e.seen_at) > now() - $6 * interval '1 second'
        then e.waiting_since else now() end
    where (e.state = 'waiting' or e.state = 'admitted' and e.decided_at < now() - interval '12 hours')
      and e.org_id = excluded.org_id and e.room_id = excluded.room_id
    returning e.waiting_since`,
};
// `was_away` says that hosts did not see this guest in their list a moment ago.
const see: Statement = {
  name: 'see_waiting_guest',
  text: `update lobby_entries e set seen_at = now(), left_at = null
    from (select participant_id, left_at, seen_at from lobby_entries
      where org_id = $1 and participant_id = $2 for update) before
    where e.participant_id = before.participant_id and e.state = 'waiting'
    returning e.said, e.waiting_since <= now() - $3 * interval '1 minute' as too_long,
      before.left_at is not null or before.seen_at <= now() - $4 * interval '1 second' as was_away`,
};
const leave: Statement = {
  name: 'leave_lobby',
  text: `update lobby_entries set left_at = now()
    where org_id = $1 and participant_id = $2 and state = 'waiting' and left_at is null
    returning participant_id`,
};
const list: Statement = {
  name: 'guests_in_lobby',
  text: `select participant_id as id, name, waiting_since from lobby_entries
    where org_id = $1 and room_id = $2 and state = 'waiting' and left_at is null
      and seen_at > now() - $3 * interval '1 second'
    order by waiting_since, participant_id limit 50`,
};
// The first of two hosts decides; the second finds nobody who waits.
const decide: Statement = {
  name: 'decide_lobby_entry',
  text: `update lobby_entries set state = $4, decided_at = now(), decided_by = $5
    where org_id = $1 and room_id = $2 and participant_id = any ($3) and state = 'waiting'
    returning participant_id`,
};
const say: Statement = {
  name: 'tell_waiting_guest',
  text: `update lobby_entries set said = $4, said_by = $5
    where org_id = $1 and room_id = $2 and participant_id = $3 and state = 'waiting'
    returning participant_id`,
};

/** A guest asks to be let in. @returns since when they wait; null where there is nothing to wait for */
export async function askToComeIn(
  tenant: Tenant,
  claims: MeetingClaims,
  name: string,
): Promise<Date | null> {
  const { participantId: guest, roomId: room } = claims;
  const browser = claims.kind === 'guest' ? (claims.browserId ?? null) : null;
  const kept = [longestWaitMinutes, keptPlaceSeconds];
  const values = [tenant.orgId, guest, room, name, ...kept, browser];
  const [row] = await tenant.read(({ run }) => run<{ waiting_since: Date }>(ask, values));
  return row?.waiting_since ?? null;
}

/** Notes that a guest still waits. @returns null when they wait no longer */
export async function seeWaiting(tenant: Tenant, guest: ParticipantId) {
  const values = [tenant.orgId, guest, longestWaitMinutes, silentGuestSeconds];
  const [row] = await tenant.read(({ run }) =>
    run<{ said: string | null; too_long: boolean; was_away: boolean }>(see, values),
  );
  return row ? { said: row.said, tooLong: row.too_long, wasAway: row.was_away } : null;
}

/** @returns whether they were there until now */
export async function leaveLobby(tenant: Tenant, guest: ParticipantId): Promise<boolean> {
  const rows = await tenant.read(({ run }) => run(leave, [tenant.orgId, guest]));
  return rows.length > 0;
}

/** Who waits in a room and is there, longest wait first, 50 at most. */
export async function listWaiting(tenant: Tenant, room: RoomId): Promise<WaitingGuest[]> {
  const rows = await tenant.read(({ run }) =>
    run<{ id: string; name: string; waiting_since: Date }>(list, [
      tenant.orgId,
      room,
      silentGuestSeconds,
    ]),
  );
  return rows.map(({ waiting_since, ...guest }) => ({
    ...guest,
    since: waiting_since.toISOString(),
  }));
}

/** Lets guests in, or refuses them for good. @returns those who waited until now */
export function decideOnGuests(
  tenant: Tenant,
  room: RoomId,
  guests: ParticipantId[],
  state: 'admitted' | 'refused',
): Promise<ParticipantId[]> {
  return tenant.write(async (tx) => {
    const decided = await tx.run<{ participant_id: ParticipantId }>(decide, [
      tenant.orgId,
      room,
      guests,
      state,
      actingAccount(tenant),
    ]);
    for (const { participant_id: guest } of decided) {
      await recordEvent(tx, {
        action: state === 'admitted' ? 'GUEST_ADMITTED' : 'GUEST_REFUSED',
        entity: 'room',
        entityId: room,
        metadata: { participantId: guest },
      });
    }
    return decided.map(({ participant_id: guest }) => guest);
  });
}

/** Writes a line to a guest who waits, in place of the one before. @returns whether they wait */
export function tellWaiting(
  tenant: Tenant,
  room: RoomId,
  guest: ParticipantId,
  text: string,
): Promise<boolean> {
  const values = [tenant.orgId, room, guest, text, actingAccount(tenant)];
  return tenant.write(async (tx) => {
    if ((await tx.run(say, values)).length === 0) return false;
    await recordEvent(tx, {
      action: 'GUEST_TOLD',
      entity: 'room',
      entityId: room,
      metadata: { participantId: guest },
    });
    return true;
  });
}
