import { DomainError } from '#domain/errors.ts';
import type { ParticipantId, RoomId } from '#domain/ids.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { type MeetingClaims, tokenRefused } from './meeting-token.ts';

/** Who received a token of a hosted page, and what it grants there. */
export interface HostedToken {
  claims: MeetingClaims;
  isHost: boolean;
  /** Asks to be let in at the page. */
  mustKnock: boolean;
}

/** Tokens of an account, or of a guest link, that may be made in the five minutes for which one admits. */
const most = { account: 60, link: 300 };

// Longer than anyone stays at the provider (providers/video/daily/daily.ts), with the time spent in its lobby.
// A few at a time, because an opening waits for it.
const forget: Statement = {
  name: 'forget_hosted_tokens',
  text: `delete from hosted_tokens where participant_id in (select participant_id from hosted_tokens
    where org_id = $1 and expires_at < now() - interval '2 days'
    limit 300 for update skip locked)`,
};
/** The token admits no more, whichever of the clocks involved is late. */
export const spent = `hosted_tokens.expires_at < now() - interval '1 minute'`;
// One row describes every token of a participant. While one that grants more may still be used, there is no
// other.
const keep: Statement = {
  name: 'keep_hosted_token',
  text: `insert into hosted_tokens (org_id, room_id, participant_id, claims, account_id, session_id,
      guest_link_id, is_host, must_knock, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (participant_id) do update
      set is_host = excluded.is_host, must_knock = excluded.must_knock, created_at = now(),
        expires_at = greatest(hosted_tokens.expires_at, excluded.expires_at)
      where ${spent} or (hosted_tokens.is_host <= excluded.is_host
        and hosted_tokens.must_knock >= excluded.must_knock)
    returning participant_id`,
};
const countNew: Statement = {
  name: 'count_new_hosted_tokens',
  text: `select count(*)::int as count from hosted_tokens
    where org_id = $1 and (account_id = $2 or guest_link_id = $3)
      and created_at > now() - interval '5 minutes'`,
};
// More than one person needs. Who has an older one may still be in the room.
const ejectOldest: Statement = {
  name: 'eject_oldest_hosted_tokens',
  text: `update hosted_tokens set eject_ban = true
    where participant_id in (select participant_id from hosted_tokens
      where org_id = $1 and account_id = $2 order by created_at desc offset ${most.account})`,
};
const findOne: Statement = {
  name: 'find_hosted_token',
  text: `select t.claims, t.is_host as "isHost", t.must_knock as "mustKnock" from rooms r
    left join hosted_tokens t on t.org_id = r.org_id and t.room_id = r.id and t.participant_id = $3
    where r.org_id = $1 and r.id = $2`,
};
const ofRoom: Statement = {
  name: 'hosted_tokens_of_room',
  text: 'select participant_id as id from hosted_tokens where org_id = $1 and room_id = $2',
};

const ofOrganization: Statement = {
  name: 'hosted_tokens_of_organization',
  text: `select room_id as "roomId", array_agg(participant_id) as people from hosted_tokens
    where org_id = $1 group by room_id`,
};

/**
 * Stores that someone is about to get a token, before it is made.
 * @param tenant of the request or socket that asks; its authority is checked with the commit
 * @param expiresAt when the token stops to admit
 * @throws DomainError 403 while the participant may use a token that grants more; 429 for too many tokens of
 *   an account or guest link
 */
export function keepHostedToken(
  tenant: Tenant,
  token: HostedToken,
  expiresAt: Date,
): Promise<void> {
  return tenant.transaction((tx) => store(tx, token, expiresAt));
}

async function store(
  tx: TenantConnection,
  { claims, isHost, mustKnock }: HostedToken,
  expiresAt: Date,
) {
  const { orgId, roomId, participantId } = claims;
  const account = claims.kind === 'staff' ? claims.accountId : null;
  const session = claims.kind === 'staff' ? claims.sessionId : null;
  const link = claims.kind === 'guest' ? claims.guestLinkId : null;
  const grants = [isHost, mustKnock, expiresAt];
  const identity = [orgId, roomId, participantId, claims, account, session, link];
  await tx.run(forget, [orgId]);
  const kept = await tx.run(keep, [...identity, ...grants]);
  if (kept.length === 0) throw tokenRefused();
  const [made] = await tx.run<{ count: number }>(countNew, [orgId, account, link]);
  if ((made?.count ?? 0) > (account ? most.account : most.link)) throw tooManyTokens();
  if (account) await tx.run(ejectOldest, [orgId, account]);
}

/**
 * Returns the token of a participant in a room, or null if none is kept: they are not to be there.
 * @returns undefined for a room that is not of this installation
 */
export async function findHostedToken(
  tenant: Tenant,
  room: RoomId,
  participant: ParticipantId,
): Promise<HostedToken | null | undefined> {
  const values = [tenant.orgId, room, participant];
  const [found] = await tenant.connection(
    ({ run }) => run<{ [key in keyof HostedToken]: HostedToken[key] | null }>(findOne, values),
    { isUrgent: true },
  );
  if (!found) return undefined;
  const { claims, isHost, mustKnock } = found;
  return claims && { claims, isHost: isHost === true, mustKnock: mustKnock === true };
}

/** Returns who has a token for a room. */
export async function holdersInRoom(tenant: Tenant, room: RoomId): Promise<ParticipantId[]> {
  const holders = await tenant.connection(
    ({ run }) => run<{ id: ParticipantId }>(ofRoom, [tenant.orgId, room]),
    { isUrgent: true },
  );
  return holders.map(({ id }) => id);
}

/** Returns who has a token for each room of an organization. */
export const holdersInOrganization = (
  tenant: Tenant,
): Promise<{ roomId: RoomId; people: ParticipantId[] }[]> =>
  tenant.connection(({ run }) => run(ofOrganization, [tenant.orgId]));

const tooManyTokens = () =>
  new DomainError(
    'too_many',
    'too_many_openings',
    'This room was opened too many times. Please try again in a few minutes.',
    { retryAfterSeconds: 60 },
  );
