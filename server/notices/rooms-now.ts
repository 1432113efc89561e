import { rolesWith } from '#domain/auth/permissions.ts';
import type { AccountId, RoomId } from '#domain/ids.ts';
import { type GuestAtDoor, isQuiet, mostNamedGuests, type RoomNow } from '#domain/notices/live.ts';
import { hasJoined, shownStart } from '#server/calls/attendance-store.ts';
import { silentGuestSeconds } from '#server/calls/lobby.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Alone } from './guests-inside.ts';

/** More rooms than an organization uses at the same moment. Those with waiting guests come first. */
const mostRooms = 200;

// Of the guests of a room, network addresses take turns, as in the host's list (calls/lobby.ts).
const roomsNow: Statement = {
  name: 'rooms_now',
  text: `with present as (
      select room_id, participant_id, name, waiting_since, row_number() over (
          partition by room_id, coalesce(address, participant_id::text)
          order by waiting_since, participant_id
        ) as turn
      from lobby_entries
      where org_id = $1 and state = 'waiting' and left_at is null
        and seen_at > now() - $2 * interval '1 second'
    ), placed as (
      select room_id, participant_id, name, waiting_since,
        row_number() over (partition by room_id order by turn, waiting_since, participant_id) as place
      from present
    ), waiting as (
      select room_id, count(*)::int as total, json_agg(json_build_object(
          'id', participant_id, 'name', name, 'since', waiting_since
        ) order by place) filter (where place <= $3) as guests
      from placed group by room_id
    ), live as (
      select c.room_id, ${shownStart('c')} as started_at, c.attendance_known,
        people.total, people.hosts
      from calls c
      left join lateral (
        select count(*)::int as total,
          coalesce(array_agg(t.account_id) filter (where m.role = any ($4)), '{}') as hosts
        from attendances t
        left join memberships m on m.org_id = t.org_id and m.account_id = t.account_id
        where t.org_id = c.org_id and t.call_id = c.id and t.left_at is null
      ) people on true
      where c.org_id = $1 and c.ended_at is null and ${hasJoined('c')}
        and (people.total > 0 or not c.attendance_known)
    )
    select r.id, r.topic, creator.account_id as created_by, r.personal_of, w.total as waiting, w.guests,
      l.started_at, l.attendance_known, l.total as people, l.hosts
    from rooms r
    left join memberships creator on creator.org_id = r.org_id and creator.account_id = r.created_by
      and creator.role = any ($4)
    left join waiting w on w.room_id = r.id
    left join live l on l.room_id = r.id
    where r.org_id = $1 and r.archived_at is null
      and r.id in (select room_id from waiting union select room_id from live union select unnest($5::uuid[]))
    order by w.total is null, r.id desc limit ${mostRooms}`,
};

interface Row {
  id: RoomId;
  topic: string;
  created_by: AccountId | null;
  personal_of: AccountId | null;
  waiting: number | null;
  guests: { id: string; name: string; since: string }[] | null;
  started_at: Date | null;
  attendance_known: boolean | null;
  people: number | null;
  hosts: AccountId[] | null;
}

/** What happens in a room, and who is called to its door. */
export interface BusyRoom {
  room: Omit<RoomNow, 'guests'>;
  guests: GuestAtDoor[];
  /**
   * The room's creator, the owner of a personal room, and staff in the call. Without any of these, as when the
   * creator has left the organization, it is empty, and calls all who may admit guests.
   */
  called: AccountId[];
}

/**
 * Returns the rooms in which people are in a call, or guests wait.
 * @param alone the rooms in which guests are without anyone of the team
 */
export async function readRoomsNow(
  tenant: Tenant,
  alone: ReadonlyMap<RoomId, Alone>,
): Promise<BusyRoom[]> {
  const hosts = rolesWith('calls.update');
  const values = [tenant.orgId, silentGuestSeconds, mostNamedGuests, hosts, [...alone.keys()]];
  const rows = await tenant.connection(({ run }) => run<Row>(roomsNow, values));
  return rows.map((row) => busyRoom(row, alone.get(row.id))).filter(({ room }) => !isQuiet(room));
}

function busyRoom(row: Row, alone: Alone | undefined): BusyRoom {
  const hosts = row.hosts ?? [];
  // Guests in a running call do not wait.
  const inside = row.started_at === null ? alone : undefined;
  return {
    room: {
      roomId: row.id,
      topic: row.topic,
      call: row.started_at && {
        startedAt: row.started_at.toISOString(),
        people: row.attendance_known ? (row.people ?? 0) : null,
        isHosted: hosts.length > 0,
      },
      waiting: (row.waiting ?? 0) + (inside?.count ?? 0),
    },
    guests: [
      ...(row.guests ?? []).map(({ since, ...guest }) => ({
        ...guest,
        since: new Date(since).toISOString(),
      })),
      ...(inside?.guests ?? []),
    ],
    called: [row.created_by, row.personal_of, ...hosts].filter((account) => account !== null),
  };
}
