import type { Actor, Role } from '#domain/auth/permissions.ts';
import { can, rolesWith } from '#domain/auth/permissions.ts';
import { closeCodes, tryAgainLater } from '#domain/calls/close-codes.ts';
import type { ToServer } from '#domain/calls/live.ts';
import type { AccountId, CallId, FileId, MediaRoomId } from '#domain/ids.ts';
import type { OrganizationBrand } from '#domain/organizations/contract.ts';
import type { OpeningHours } from '#domain/rooms/opening-hours.ts';
import {
  type AdmittedCaptures,
  admittedCaptures,
  type CaptureColumns,
  captureColumns,
} from '#server/consent/admitted-captures.ts';
import { captureMeans } from '#server/consent/capture-means.ts';
import { brandOf } from '#server/organizations/brand.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Authority } from '#server/platform/authority.ts';
import type { Statement } from '#server/platform/database.ts';
import { hasRequiredFactors } from '#server/platform/required-factors.ts';
import type { MediaRoom } from '#server/providers/video/media-room.ts';
import { type MeetingClaims, readMeetingToken } from '#server/rooms/meeting-token.ts';
import { openingAt } from '#server/rooms/opening.ts';
import type { Services } from '#server/services.ts';
import { hasJoined, shownStart } from './attendance-store.ts';
import { guestName } from './guest-name.ts';
import { paceOf } from './socket-work.ts';

export interface RunningCall {
  id: CallId;
  /** When the first person joined; until then, when it was created. */
  startedAt: string;
  joined: boolean;
  locked?: boolean;
}

/** A participant whom a token admits to a room, with the current data of the database. */
export interface Admitted {
  claims: MeetingClaims;
  tenant: Tenant;
  name: string;
  avatar: string | null;
  mayEdit: boolean;
  room: { id: string; topic: string };
  organization: OrganizationBrand;
  call: RunningCall | null;
  /** Attends the running call, or has left it and may return. */
  isKnown: boolean;
  /** Guests wait in the room's lobby until a host admits them. */
  hasLobby: boolean;
  /** A guest who has to wait in the lobby: not admitted, or not any more. */
  isHeld: boolean;
  /** Who admitted this guest from the lobby, if anyone. */
  admittedBy: AccountId | null;
  /** The text that guests read in this room's lobby, if one is set. */
  waitingText: string | null;
  /** A guest whose link admits only one person. */
  isByLimitedLink: boolean;
  /** The media room that carries the media; null while they are sent peer to peer. */
  mediaRoom: MediaRoom | null;
  captures: AdmittedCaptures;
}

/** Why a participant is not admitted, with the close code for the socket. */
export class NotAdmitted extends Error {
  readonly closeCode: number;
  constructor(closeCode: number, reason: string) {
    super(reason);
    this.closeCode = closeCode;
  }
}

interface AdmissionRow extends CaptureColumns {
  topic: string;
  org_name: string;
  brand_color: string;
  logo_file_id: FileId | null;
  call_id: CallId | null;
  started_at: Date | null;
  joined: boolean;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  avatar: string | null;
  role: Role | null;
  session_valid: boolean;
  link_valid: boolean;
  guests_stay_out: boolean;
  locked: boolean;
  known: boolean;
  in_other_call: boolean;
  was_removed: boolean;
  browser_refused: boolean;
  has_lobby: boolean;
  lobby_state: 'waiting' | 'admitted' | 'refused' | null;
  decided_by: AccountId | null;
  waiting_text: string | null;
  link_limited: boolean;
  link_used_up: boolean;
  hours: OpeningHours | null;
  media_room_id: MediaRoomId | null;
}

// Reads all data for a hello in one round trip, because people wait for it while joining. Once a participant
// was removed from a call, newcomers no longer join by the link alone: a host must admit them. So must those
// who had left before entry was last restricted: any number of them may be the person who was removed.
const admission: Statement = {
  name: 'admission',
  text: `select r.topic, o.name as org_name, o.brand_color,
      o.logo_file_id, c.id as call_id, ${shownStart('c')} as started_at, ${hasJoined('c')} as joined,
      a.first_name, a.last_name, a.email, a.profile_image_url as avatar, m.role,
      exists (select 1 from sessions s where s.id = $7 and s.account_id = $3
        and s.expires_at > now() and s.last_seen_at > now() - interval '7 days'
        and ${hasRequiredFactors}
        and session_admits(
          s.sso_org_id, s.kept_without_sso_in = r.org_id, s.account_id, r.org_id, q.required_at)) as session_valid,
      g.id is not null and g.revoked_at is null
        and (g.expires_at is null or g.expires_at > now()) as link_valid,
      keeps_guests_out(r.org_id) as guests_stay_out,
      g.use_limit is not null as link_limited,
      coalesce(g.use_count >= g.use_limit, false) and not exists (select 1 from guest_link_uses u
        where u.guest_link_id = g.id and u.participant_id = $5
          and u.used_at > now() - interval '12 hours') as link_used_up,
      h.hours, coalesce(r.waiting_text, o.waiting_text) as waiting_text,
      c.locked_at is not null as locked,
      exists (select 1 from attendances t
        where t.org_id = r.org_id and t.call_id = c.id and t.id = $5
          and (t.left_at is null or t.left_at >= coalesce(greatest(c.locked_at, g.revoked_at,
            admissions_count_since(r.id)), '-infinity'))) as known,
      exists (select 1 from attendances t
        where t.org_id = r.org_id and t.id = $5 and t.call_id is distinct from c.id) as in_other_call,
      exists (select 1 from call_removals x
        left join attendances t on t.id = x.participant_id
        left join lobby_entries l on l.participant_id = x.participant_id
        where x.call_id = c.id
          and (x.participant_id = $5 or $6 in (t.browser_id, l.browser_id))) as was_removed,
      exists (select 1 from lobby_entries e
        where e.org_id = r.org_id and e.room_id = r.id and e.state = 'refused'
          and e.browser_id = $6 and e.decided_at > now() - interval '12 hours') as browser_refused,
      r.lobby_at is not null
        or exists (select 1 from call_removals x where x.call_id = c.id) as has_lobby,
      (select x.id from media_rooms x
        where x.room_id = r.id and x.closed_at is null) as media_room_id,
      case when e.state = 'admitted' and not lobby_admits(e, admissions_count_since(r.id), $8)
        then 'waiting' else e.state end as lobby_state, e.decided_by, ${captureColumns('c', '$5')}
    from rooms r
    join organizations o on o.id = r.org_id
    left join calls c on c.room_id = r.id and c.ended_at is null
    left join guest_links g on g.id = $4 and g.org_id = r.org_id and g.room_id = r.id
    left join room_opening_hours h on h.room_id = r.id
    left join lobby_entries e on $4::uuid is not null and e.org_id = r.org_id and e.room_id = r.id
      and e.participant_id = $5
    left join sso_policies q on q.org_id = r.org_id
    left join sign_in_policies p on p.org_id = r.org_id
    left join memberships m on m.org_id = r.org_id and m.account_id = $3
    left join accounts a on a.id = m.account_id
    where r.org_id = $1 and r.id = $2 and r.archived_at is null`,
};

type Hello = Extract<ToServer, { type: 'hello' }>;

/**
 * Checks a hello and reads the admission.
 * @throws NotAdmitted
 */
export async function admitParticipant(
  services: Services,
  hello: Hello,
  address: string,
): Promise<Admitted> {
  return admitByClaims(services, await readHello(services, hello), hello.name, address);
}

/**
 * Checks a hello's token, and that it allows the channel.
 * @throws NotAdmitted
 */
export async function readHello(
  { secrets }: Pick<Services, 'secrets'>,
  hello: Hello,
): Promise<MeetingClaims> {
  const claims = await readMeetingToken(secrets, hello.token);
  if (!claims) throw new NotAdmitted(closeCodes.tokenRefused, 'token refused');
  // The panel's data, above all the notes, is for staff only.
  if (claims.kind === 'guest' && hello.channel === 'panel') {
    throw new NotAdmitted(closeCodes.tokenRefused, 'guests have no panel');
  }
  return claims;
}

/**
 * Looks up what the bearer of these claims may do now.
 * @param isUrgent as for `Turn`: after a revocation
 * @throws NotAdmitted
 */
export async function admitByClaims(
  { database, video, speech }: Pick<Services, 'database' | 'speech' | 'video'>,
  claims: MeetingClaims,
  name: string | undefined,
  address: string | null,
  isUrgent = false,
): Promise<Admitted> {
  const [row] = await tenantOf(database, guestActor(claims), address, 'socket').connection(
    ({ run }) =>
      run<AdmissionRow>(admission, [
        claims.orgId,
        claims.roomId,
        claims.kind === 'staff' ? claims.accountId : null,
        claims.kind === 'guest' ? claims.guestLinkId : null,
        claims.participantId,
        claims.kind === 'guest' ? (claims.browserId ?? null) : null,
        claims.kind === 'staff' ? claims.sessionId : null,
        rolesWith('calls.update'),
      ]),
    // Staff do not wait for the guests of their room.
    { isUrgent, ...(claims.kind === 'staff' && { actorKey: claims.accountId }) },
  );
  if (!row) throw new NotAdmitted(closeCodes.roomGone, 'room gone');
  const actor = actorOf(claims, row);
  const [by, pace] = [authorityOf(claims, actor), paceOf(database, claims)];
  return {
    claims,
    tenant: tenantOf(database, actor, address, by, pace),
    name: claims.kind === 'staff' ? staffName(row) : (claims.name ?? guestName(name)),
    avatar: row.avatar,
    mayEdit: can(actor, 'calls.update'),
    room: { id: claims.roomId, topic: row.topic },
    organization: brandOf({
      name: row.org_name,
      brandColor: row.brand_color,
      logoFileId: row.logo_file_id,
    }),
    call:
      row.call_id && row.started_at
        ? {
            id: row.call_id,
            startedAt: row.started_at.toISOString(),
            joined: row.joined,
            locked: row.locked,
          }
        : null,
    isKnown: row.known,
    hasLobby: row.has_lobby,
    // A hosted page has its own lobby.
    isHeld:
      video.page === null &&
      claims.kind === 'guest' &&
      row.has_lobby &&
      !row.known &&
      row.lobby_state !== 'admitted',
    admittedBy: row.lobby_state === 'admitted' ? row.decided_by : null,
    waitingText: row.waiting_text,
    isByLimitedLink: claims.kind === 'guest' && row.link_limited,
    mediaRoom: row.media_room_id && {
      orgId: claims.orgId,
      roomId: claims.roomId,
      id: row.media_room_id,
    },
    captures: admittedCaptures(row, row.call_id, captureMeans({ speech, video })),
  };
}

function actorOf(claims: MeetingClaims, row: AdmissionRow): Actor {
  if (claims.kind === 'guest') {
    if (row.guests_stay_out) throw new NotAdmitted(tryAgainLater, 'taken over');
    // An ended link keeps newcomers out, but not those who attend the running call.
    if (!row.link_valid && !row.known) {
      throw new NotAdmitted(closeCodes.tokenRefused, 'guest link ended');
    }
    // A token is valid for one call. The attendance is missing if the call ended before it was stored.
    if (row.in_other_call || (claims.callId ?? row.call_id) !== row.call_id)
      throw new NotAdmitted(closeCodes.tokenRefused, 'another call');
    if (row.link_used_up && !row.known)
      throw new NotAdmitted(closeCodes.tokenRefused, 'guest link used');
    // Participants of a running call may stay and return after the room has closed.
    if (!row.known && !openingAt(row.hours, new Date()).isOpen) {
      throw new NotAdmitted(closeCodes.roomClosed, 'room closed');
    }
    if (row.was_removed) throw new NotAdmitted(closeCodes.removed, 'removed');
    if (row.lobby_state === 'refused' || row.browser_refused)
      throw new NotAdmitted(closeCodes.refusedEntry, 'refused');
    if (row.locked && !row.known) throw new NotAdmitted(closeCodes.locked, 'call locked');
    return guestActor(claims);
  }
  if (!row.role) throw new NotAdmitted(closeCodes.removed, 'not a member');
  if (!row.session_valid) throw new NotAdmitted(closeCodes.tokenRefused, 'signed out');
  return { kind: 'user', accountId: claims.accountId, orgId: claims.orgId, role: row.role };
}

function authorityOf(claims: MeetingClaims, actor: Actor): Authority {
  if (claims.kind === 'guest') return 'socket';
  const permission = can(actor, 'calls.update') ? ('calls.update' as const) : null;
  return { socket: { id: claims.sessionId }, permission };
}

const guestActor = ({ participantId, orgId, roomId }: MeetingClaims): Actor => {
  return { kind: 'guest', participantId, orgId, roomId };
};

const staffName = (row: AdmissionRow) =>
  `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim() || (row.email ?? '');
