import { DomainError } from '#domain/errors.ts';
import type { AccountId, GuestLinkId, OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import type { MeetingClaims } from './meeting-token.ts';

/** Who received a token of a hosted page, and what it grants there. */
export interface HostedToken {
  claims: MeetingClaims;
  isHost: boolean;
  /** Asks to be let in at the page. */
  mustKnock: boolean;
}

/** Whose tokens to find; without any, everyone's. */
export interface HostedTokenHolders {
  sessionId?: string;
  guestLinkId?: GuestLinkId;
  roomId?: RoomId;
  orgId?: OrgId;
  /** With `orgId`. */
  accountId?: AccountId;
}

/** People whom the provider has to send out of a room. */
export interface HostedEjection {
  orgId: OrgId;
  roomId: RoomId;
  people: ParticipantId[];
  ban: boolean;
}

/** Tokens of an account, or of a guest link, that may be made in the five minutes for which one admits. */
const most = { account: 60, link: 300 };

// Longer than any call.
const forget: Statement = {
  name: 'forget_hosted_tokens',
  text: `delete from hosted_tokens where org_id = $1 and created_at < now() - interval '1 day'`,
};
const keep: Statement = {
  name: 'keep_hosted_token',
  text: `insert into hosted_tokens (org_id, room_id, participant_id, claims, account_id, session_id,
      guest_link_id, is_host, must_knock)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (participant_id) do update
      set is_host = excluded.is_host, must_knock = excluded.must_knock, created_at = now()`,
};
const spent = `created_at < now() - interval '5 minutes'`;
const countNew: Statement = {
  name: 'count_new_hosted_tokens',
  text: `select count(*)::int as count from hosted_tokens
    where org_id = $1 and (account_id = $2 or guest_link_id = $3) and not ${spent}`,
};
// More than one person needs. Who has an older one may still be in the room.
const ejectOldest: Statement = {
  name: 'eject_oldest_hosted_tokens',
  text: `update hosted_tokens set eject_ban = true
    where participant_id in (select participant_id from hosted_tokens
      where org_id = $1 and account_id = $2 order by created_at desc offset ${most.account})`,
};
const columns = 'claims, is_host as "isHost", must_knock as "mustKnock"';
const findOne: Statement = {
  name: 'find_hosted_token',
  text: `select ${columns} from hosted_tokens where org_id = $1 and participant_id = $2`,
};
const findAll: Statement = {
  name: 'find_hosted_tokens',
  text: `select ${columns} from hosted_tokens_of($1, $2, $3, $4, $5)`,
};
const ofRoom: Statement = {
  name: 'hosted_tokens_of_room',
  text: 'select participant_id as id from hosted_tokens where org_id = $1 and room_id = $2',
};
const mark: Statement = {
  name: 'mark_hosted_ejection',
  text: `update hosted_tokens set eject_ban = $3
    where org_id = $1 and participant_id = any ($2) and eject_ban is distinct from true`,
};
// A token that may still admit is kept, so that its holder is found when they join.
const confirm: Statement = {
  name: 'confirm_hosted_ejection',
  text: `with gone as (
      delete from hosted_tokens
        where org_id = $1 and participant_id = any ($2) and eject_ban = $3 and ${spent}
    )
    update hosted_tokens set eject_ban = null
    where org_id = $1 and participant_id = any ($2) and eject_ban = $3 and not ${spent}`,
};
const due: Statement = {
  name: 'hosted_people_to_eject',
  text: `select org_id as "orgId", room_id as "roomId", people, eject_ban as ban
    from hosted_people_to_eject()`,
};

/**
 * Stores that someone is about to get a token, before it is made.
 * @param tenant of the request or socket that asks; its authority is checked with the commit
 * @throws DomainError 429 for too many tokens of an account or guest link
 */
export function keepHostedToken(tenant: Tenant, token: HostedToken): Promise<void> {
  return tenant.transaction((tx) => store(tx, token), { isStrict: true });
}

async function store(tx: TenantConnection, { claims, isHost, mustKnock }: HostedToken) {
  const { orgId, roomId, participantId } = claims;
  const account = claims.kind === 'staff' ? claims.accountId : null;
  const session = claims.kind === 'staff' ? claims.sessionId : null;
  const link = claims.kind === 'guest' ? claims.guestLinkId : null;
  const authorities = [account, session, link];
  await tx.run(forget, [orgId]);
  await tx.run(keep, [orgId, roomId, participantId, claims, ...authorities, isHost, mustKnock]);
  const [made] = await tx.run<{ count: number }>(countNew, [orgId, account, link]);
  if ((made?.count ?? 0) > (account ? most.account : most.link)) throw tooManyTokens();
  if (account) await tx.run(ejectOldest, [orgId, account]);
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
  { sessionId, guestLinkId, roomId, orgId, accountId }: HostedTokenHolders,
): Promise<HostedToken[]> {
  const values = [sessionId, guestLinkId, roomId, orgId, accountId].map((id) => id ?? null);
  return database.connection('outside', ({ run }) => run<HostedToken>(findAll, values));
}

/** Returns who has a token for a room. */
export async function holdersInRoom(tenant: Tenant, room: RoomId): Promise<ParticipantId[]> {
  const holders = await tenant.connection(({ run }) =>
    run<{ id: ParticipantId }>(ofRoom, [tenant.orgId, room]),
  );
  return holders.map(({ id }) => id);
}

/** Stores that people have to leave, until `confirmEjection`. A ban is not taken back. */
export async function markEjection(
  tenant: Tenant,
  people: readonly ParticipantId[],
  ban: boolean,
): Promise<void> {
  await tenant.connection(({ run }) => run(mark, [tenant.orgId, people, ban]));
}

/** The provider has sent these people out, as `markEjection` asked. */
export async function confirmEjection(
  tenant: Tenant,
  people: readonly ParticipantId[],
  ban: boolean,
): Promise<void> {
  await tenant.connection(({ run }) => run(confirm, [tenant.orgId, people, ban]));
}

/** Returns the ejections that the provider has not confirmed: a few rooms, of all organizations in turn. */
export function dueEjections(database: Database): Promise<HostedEjection[]> {
  return database.connection('outside', ({ run }) => run<HostedEjection>(due, []));
}

const tooManyTokens = () =>
  new DomainError(
    'too_many',
    'too_many_openings',
    'This room was opened too often. Please try again in a few minutes.',
    { retryAfterSeconds: 60 },
  );
