import type { Actor } from '#domain/auth/permissions.ts';
import { can, rolesWith } from '#domain/auth/permissions.ts';
import { closeCodes, tryAgainLater } from '#domain/calls/close-codes.ts';
import type { ToServer } from '#domain/calls/live.ts';
import type { AccountId, ApiTokenId, CallId } from '#domain/ids.ts';
import type { OrganizationBrand } from '#domain/organizations/contract.ts';
import { type AdmittedCaptures, admittedCaptures } from '#server/consent/admitted-captures.ts';
import { captureMeans } from '#server/consent/capture-means.ts';
import { brandOf } from '#server/organizations/brand.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Authority } from '#server/platform/authority.ts';
import type { MediaRoom } from '#server/providers/video/media-room.ts';
import { type MeetingClaims, readMeetingToken } from '#server/rooms/meeting-token.ts';
import { openingAt } from '#server/rooms/opening.ts';
import type { Services } from '#server/services.ts';
import { type AdmissionRow, admission } from './admission-row.ts';
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
  /** By the database's clock, in milliseconds. */
  readAt: number;
  /** Attends the running call, or has left it and may return. */
  isKnown: boolean;
  /** Guests wait in the room's lobby until a host admits them. */
  hasLobby: boolean;
  /** A guest who has to wait in the lobby: not admitted, or not any more. */
  isHeld: boolean;
  /** Who admitted this guest from the lobby, if anyone. */
  admittedBy: AccountId | null;
  /** The organization's token that admitted this guest, if any did. */
  admittedByToken: ApiTokenId | null;
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
    readAt: row.read_at,
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
    admittedByToken: row.lobby_state === 'admitted' ? row.program_id : null,
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
  // Their page was away as that call ended. A participant attends one call.
  if (row.in_other_call) throw new NotAdmitted(closeCodes.callEnded, 'call ended');
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
