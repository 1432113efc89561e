import {
  type AccountId,
  type GuestLinkId,
  leastId,
  type OrgId,
  type ParticipantId,
  type RoomId,
} from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import type { HostedToken } from './hosted-tokens.ts';

/** Whose tokens of an organization to find; without any, everyone's. */
export type HostedTokenHolders =
  | { sessionId: string }
  | { guestLinkId: GuestLinkId }
  | { roomId: RoomId }
  | { accountId: AccountId }
  | { kind: 'staff' | 'guest' }
  | null;

/** Tokens that are read, and judged, at once: as many as one request ejects. */
export const holdersAtOnce = 100;

const page = (name: string, where: string): Statement => ({
  name: `hosted_holders_by_${name}`,
  text: `select claims, is_host as "isHost", must_knock as "mustKnock" from hosted_tokens
    where org_id = $1 and participant_id > $2 and ${where}
    order by participant_id limit ${holdersAtOnce}`,
});
const pages = {
  session: page('session', 'session_id = $3'),
  link: page('link', 'guest_link_id = $3'),
  room: page('room', 'room_id = $3'),
  account: page('account', 'account_id = $3'),
  staff: page('staff', 'account_id is not null'),
  guest: page('guest', 'guest_link_id is not null'),
  all: page('everyone', 'true'),
};

const organizations: Statement = {
  name: 'hosted_tokens_by_organization',
  text: `select org_id as "orgId", session_id as "sessionId", guest_link_id as "guestLinkId"
    from hosted_tokens_by_organization($1, $2)`,
};
const allOrganizations: Statement = {
  name: 'organizations_with_hosted_tokens',
  text: 'select o as "orgId" from organizations_with_hosted_tokens() as o',
};

/**
 * Returns the tokens of these holders, at most `holdersAtOnce`, in the order of the participants' ids.
 * @param after the last participant of the page before
 */
export function findHostedTokens(
  tenant: Tenant,
  holders: HostedTokenHolders,
  after: ParticipantId | null,
): Promise<HostedToken[]> {
  const [statement, ...values] = pageOf(holders);
  return tenant.connection(
    ({ run }) => run<HostedToken>(statement, [tenant.orgId, after ?? leastId, ...values]),
    { isUrgent: true },
  );
}

function pageOf(holders: HostedTokenHolders): [Statement, ...unknown[]] {
  if (holders === null) return [pages.all];
  if ('sessionId' in holders) return [pages.session, holders.sessionId];
  if ('guestLinkId' in holders) return [pages.link, holders.guestLinkId];
  if ('roomId' in holders) return [pages.room, holders.roomId];
  if ('accountId' in holders) return [pages.account, holders.accountId];
  return [pages[holders.kind]];
}

/** Returns in which organizations these sessions and guest links have tokens. */
export function organizationsOfHolders(
  database: Database,
  sessions: readonly string[],
  links: readonly GuestLinkId[],
): Promise<{ orgId: OrgId; sessionId: string | null; guestLinkId: GuestLinkId | null }[]> {
  return database.connection('outside', ({ run }) => run(organizations, [sessions, links]));
}

/** Returns the organizations in which anyone has a token. */
export async function organizationsWithHolders(database: Database): Promise<OrgId[]> {
  const found = await database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId }>(allOrganizations, []),
  );
  return found.map(({ orgId }) => orgId);
}
