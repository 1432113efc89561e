import { rolesWith } from '#domain/auth/permissions.ts';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { longestWaitMinutes, mostWaitingOfAddress } from '#domain/calls/live.ts';
import type { WaitingGuest } from '#domain/calls/participant.ts';
import type { ParticipantId, RoomId } from '#domain/ids.ts';
import type { EarlierDecision } from '#domain/notices/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import { addressKey } from '#server/platform/address-key.ts';
import type { Statement } from '#server/platform/database.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import { NotAdmitted } from './admit-participant.ts';

/** A guest whose page was silent for this long counts as away: its network or its server has failed. */
export const silentGuestSeconds = 20;
/** A guest who returns within this time, after a reload for example, keeps the place. */
const keptPlaceSeconds = 60;

// Serializes concurrent requests of one address, so that each is counted.
const lockAddress: Statement = {
  name: 'lock_lobby_address',
  text: `select pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 0))`,
};
const countOfAddress: Statement = {
  name: 'count_lobby_address',
  text: `select count(*)::int as n from lobby_entries
    where org_id = $1 and room_id = $2 and state = 'waiting' and left_at is null
      and seen_at > now() - $3 * interval '1 second'
      and guest_link_id = $4 and address = $5 and participant_id <> $6`,
};
// A decision is final: asking again returns no row, unless an admission has ended.
const ask: Statement = {
  name: 'ask_to_come_in',
  text: `insert into lobby_entries as e
      (participant_id, org_id, room_id, name, browser_id, guest_link_id, address)
    select $2, r.org_id, r.id, $4, $7, $8, $9 from rooms r
      where r.org_id = $1 and r.id = $3 and r.archived_at is null
    on conflict (participant_id) do update set
      name = excluded.name, address = excluded.address, seen_at = now(), left_at = null,
      state = 'waiting', decided_at = null, decided_by = null, is_of_program = false,
      program_id = null,
      waiting_since = case
        when e.state = 'waiting' and e.waiting_since > now() - $5 * interval '1 minute'
          and coalesce(e.left_at, e.seen_at) > now() - $6 * interval '1 second'
        then e.waiting_since else now() end
    where (e.state = 'waiting' or e.state = 'admitted' and not lobby_admits(
          e, admissions_count_since(e.room_id), $10))
      and e.org_id = excluded.org_id and e.room_id = excluded.room_id
    returning e.waiting_since`,
};
// `was_away` means that hosts did not see this guest in their list a moment ago. All waiting guests ask for this every
// few seconds, so it does not wait for the disk: what a crash loses, the next one stores again.
const see: Statement = {
  name: 'see_waiting_guest',
  text: `update lobby_entries e set seen_at = now(), left_at = null
    from (select left_at, seen_at, set_config('synchronous_commit', 'off', true)
      from lobby_entries where org_id = $1 and participant_id = $2 for update) before
    where e.org_id = $1 and e.participant_id = $2 and e.state = 'waiting'
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
  // Addresses take turns, so that many guests of one address do not hide the others from the host.
  text: `select id, name, waiting_since, total from (
      select participant_id as id, name, waiting_since, count(*) over ()::int as total,
        row_number() over (
          partition by coalesce(address, participant_id::text) order by waiting_since, participant_id
        ) as turn
      from lobby_entries
      where org_id = $1 and room_id = $2 and state = 'waiting' and left_at is null
        and seen_at > now() - $3 * interval '1 second'
    ) waiting
    order by turn, waiting_since, id limit 50`,
};
// Of two hosts, the first decides. The second finds no waiting guest.
const decide: Statement = {
  name: 'decide_lobby_entry',
  text: `update lobby_entries set state = $4, decided_at = now(), decided_by = $5
    where org_id = $1 and room_id = $2 and participant_id = any ($3) and state = 'waiting'
    returning participant_id`,
};
const decisions: Statement = {
  name: 'decisions_of_lobby',
  text: `select e.participant_id as guest, e.name, e.state as decision,
      coalesce(nullif(trim(concat_ws(' ', a.first_name, a.last_name)), ''), a.email) as by,
      e.decided_by is not distinct from $4 as "isOwn"
    from lobby_entries e left join known_people a on a.id = e.decided_by
    where e.org_id = $1 and e.room_id = $2 and e.participant_id = any ($3) and e.state <> 'waiting'
    order by e.decided_at, e.participant_id`,
};
const say: Statement = {
  name: 'tell_waiting_guest',
  text: `update lobby_entries set said = $4, said_by = $5
    where org_id = $1 and room_id = $2 and participant_id = $3 and state = 'waiting'
    returning participant_id`,
};

/**
 * Stores a guest's request for admission. Returns the start of the wait; null if there is nothing
 * to wait for.
 * @throws NotAdmitted where too many guests of this link and address wait
 */
export async function askToComeIn(
  tenant: Tenant,
  claims: MeetingClaims,
  name: string,
  address: string,
): Promise<Date | null> {
  if (claims.kind !== 'guest') return null;
  const { participantId: guest, roomId: room, guestLinkId: link, browserId = null } = claims;
  const { orgId } = tenant;
  const from = addressKey(address);
  const kept = [longestWaitMinutes, keptPlaceSeconds];
  return tenant.transaction(async ({ run }) => {
    const [, [others]] = await Promise.all([
      run(lockAddress, [link, from]),
      run<{ n: number }>(countOfAddress, [orgId, room, silentGuestSeconds, link, from, guest]),
    ]);
    if ((others?.n ?? 0) >= mostWaitingOfAddress) {
      throw new NotAdmitted(closeCodes.crowded, 'too many of this address');
    }
    const hosts = rolesWith('calls.update');
    const values = [orgId, guest, room, name, ...kept, browserId, link, from, hosts];
    const [row] = await run<{ waiting_since: Date }>(ask, values);
    return row?.waiting_since ?? null;
  });
}

/**
 * Records that a guest still waits.
 * @returns null when the guest no longer waits
 */
export async function seeWaiting(tenant: Tenant, guest: ParticipantId) {
  const values = [tenant.orgId, guest, longestWaitMinutes, silentGuestSeconds];
  const [row] = await tenant.connection(({ run }) =>
    run<{ said: string | null; too_long: boolean; was_away: boolean }>(see, values),
  );
  return row ? { said: row.said, tooLong: row.too_long, wasAway: row.was_away } : null;
}

/** @returns whether the guest was present until now */
export async function leaveLobby(tenant: Tenant, guest: ParticipantId): Promise<boolean> {
  const rows = await tenant.connection(({ run }) => run(leave, [tenant.orgId, guest]));
  return rows.length > 0;
}

interface WaitingRow {
  id: string;
  name: string;
  waiting_since: Date;
  total: number;
}

/**
 * Returns the waiting guests of a room who are present, 50 at most: network addresses take turns,
 * each with its longest wait first. `hidden` is the number of further waiting guests.
 */
export async function listWaiting(
  tenant: Tenant,
  room: RoomId,
): Promise<{ guests: WaitingGuest[]; hidden: number }> {
  const rows = await tenant.connection(({ run }) =>
    run<WaitingRow>(list, [tenant.orgId, room, silentGuestSeconds]),
  );
  const guests = rows.map(({ id, name, waiting_since }) => ({
    id,
    name,
    since: waiting_since.toISOString(),
  }));
  return { guests, hidden: (rows[0]?.total ?? 0) - guests.length };
}

/**
 * Admits guests, or refuses them permanently.
 * @returns those who waited until now
 */
export function decideOnGuests(
  tenant: Tenant,
  room: RoomId,
  guests: ParticipantId[],
  state: 'admitted' | 'refused',
): Promise<ParticipantId[]> {
  const decideNow = async (tx: TenantConnection) => {
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
  };
  return tenant.transaction(decideNow);
}

/** Returns what has been decided about guests of a room, and by whom. */
export async function earlierDecisions(
  tenant: Tenant,
  room: RoomId,
  guests: ParticipantId[],
): Promise<EarlierDecision[]> {
  return tenant.connection(({ run }) =>
    run<EarlierDecision>(decisions, [tenant.orgId, room, guests, actingAccount(tenant)]),
  );
}

/**
 * Stores a text for a waiting guest, in place of the previous one.
 * @returns whether the guest is waiting
 */
export function tellWaiting(
  tenant: Tenant,
  room: RoomId,
  guest: ParticipantId,
  text: string,
): Promise<boolean> {
  const values = [tenant.orgId, room, guest, text, actingAccount(tenant)];
  return tenant.transaction(async (tx) => {
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
