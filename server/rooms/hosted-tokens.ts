import type { GuestLinkId, OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import type { MeetingClaims } from './meeting-token.ts';

/** Who received a token of a hosted page, and what it grants there. */
export interface HostedToken {
  claims: MeetingClaims;
  isHost: boolean;
  /** Asks to be let in at the page. */
  mustKnock: boolean;
}

/** Whose tokens to find; all that are absent concern everyone. */
export interface HostedTokenHolders {
  orgId?: OrgId;
  sessionId?: string;
  guestLinkId?: GuestLinkId;
}

// Longer than any call.
const forget: Statement = {
  name: 'forget_hosted_tokens',
  text: `delete from hosted_tokens where org_id = $1 and created_at < now() - interval '1 day'`,
};
const keep: Statement = {
  name: 'keep_hosted_token',
  text: `insert into hosted_tokens (org_id, room_id, participant_id, claims, is_host, must_knock)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (participant_id) do update
      set is_host = excluded.is_host, must_knock = excluded.must_knock, created_at = now()`,
};
const findOne: Statement = {
  name: 'find_hosted_token',
  text: `select claims, is_host as "isHost", must_knock as "mustKnock" from hosted_tokens
    where org_id = $1 and participant_id = $2`,
};
const findAll: Statement = {
  name: 'find_hosted_tokens',
  text: `select claims, is_host as "isHost", must_knock as "mustKnock"
    from hosted_tokens_of($1, $2, $3)`,
};
// A token that may still admit is kept, so that its holder is found when they join.
const spent = `created_at < now() - interval '5 minutes'`;
const forgetOne: Statement = {
  name: 'forget_hosted_token',
  text: `delete from hosted_tokens where org_id = $1 and participant_id = $2 and ${spent}`,
};
const forgetOfRoom: Statement = {
  name: 'forget_hosted_tokens_of_room',
  text: `with forgotten as (delete from hosted_tokens where org_id = $1 and room_id = $2 and ${spent})
    select participant_id as id from hosted_tokens where org_id = $1 and room_id = $2`,
};

/**
 * Stores that someone is about to get a token, before it is made.
 * @param tenant of the request or socket that asks; its authority is checked with the commit
 */
export function keepHostedToken(
  tenant: Tenant,
  { claims, isHost, mustKnock }: HostedToken,
): Promise<void> {
  const { orgId, roomId, participantId } = claims;
  return tenant.transaction(
    async (tx) => {
      await tx.run(forget, [orgId]);
      await tx.run(keep, [orgId, roomId, participantId, claims, isHost, mustKnock]);
    },
    { isStrict: true },
  );
}

/** Returns the token of a participant, or null if none is kept. */
export async function findHostedToken(
  tenant: Tenant,
  participant: ParticipantId,
): Promise<HostedToken | null> {
  const [found] = await tenant.connection(({ run }) =>
    run<HostedToken>(findOne, [tenant.orgId, participant]),
  );
  return found ?? null;
}

/** Returns the tokens of these holders, of any organization. */
export function findHostedTokens(
  database: Database,
  { orgId, sessionId, guestLinkId }: HostedTokenHolders,
): Promise<HostedToken[]> {
  return database.connection('outside', ({ run }) =>
    run<HostedToken>(findAll, [orgId ?? null, sessionId ?? null, guestLinkId ?? null]),
  );
}

/** Forgets the token of someone who was banned, once it admits nobody any more. */
export async function forgetHostedToken(tenant: Tenant, participant: ParticipantId): Promise<void> {
  await tenant.connection(({ run }) => run(forgetOne, [tenant.orgId, participant]));
}

/** Forgets the tokens of a room whose call has ended, except new ones. @returns who had one */
export async function endHostedTokens(tenant: Tenant, room: RoomId): Promise<ParticipantId[]> {
  const holders = await tenant.connection(({ run }) =>
    run<{ id: ParticipantId }>(forgetOfRoom, [tenant.orgId, room]),
  );
  return holders.map(({ id }) => id);
}
