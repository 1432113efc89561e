import type { CalendarFeed } from '#domain/calendar/contract.ts';
import type { AccountId, CallId, OrgId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { type Asking, requireStillAsking } from '#server/auth/change-credentials.ts';
import { type AnswerPace, type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import {
  newOrganizationToken,
  readOrganizationToken,
  type TokenKind,
} from '#server/platform/tokens.ts';

const kind: TokenKind = { prefix: '', secretBytes: 24 };
const keptDays = 365;
const mostEvents = 500;

const feedOfAccount: Statement = {
  name: 'calendar_feed_of_account',
  text: `select created_at as "createdAt" from calendar_feeds where org_id = $1 and account_id = $2`,
};
const storeFeed: Statement = {
  name: 'store_calendar_feed',
  text: `insert into calendar_feeds (org_id, account_id, token_hash, sso_org_id, two_factors)
    values ($1, $2, $3, $4, $5)
    on conflict (org_id, account_id) do update set token_hash = excluded.token_hash,
      sso_org_id = excluded.sso_org_id, two_factors = excluded.two_factors, created_at = now()
    returning created_at as "createdAt"`,
};
const removeFeed: Statement = {
  name: 'remove_calendar_feed',
  text: 'delete from calendar_feeds where org_id = $1 and account_id = $2 returning account_id',
};
// As a personal API token, it does not open what its session would not open now.
const ownerOfFeed: Statement = {
  name: 'owner_of_calendar_feed',
  text: `select account_id as "accountId" from owner_of_calendar_feed($1, $2)`,
};
const callsOfAccount: Statement = {
  name: 'calls_of_calendar',
  text: `select c.id, r.topic, c.started_at as "startedAt", c.ended_at as "endedAt"
    from (
      select call_id as id from attendances where org_id = $1 and account_id = $2
      union select call_id from counted_calls
        where org_id = $1 and agent_id = $2 and day >= current_date - ${keptDays + 1}
    ) own
    join calls c on c.org_id = $1 and c.id = own.id
    join rooms r on r.org_id = c.org_id and r.id = c.room_id
    where c.ended_at > now() - interval '${keptDays} days' and r.sample_set_id is null
    order by c.id desc limit ${mostEvents}`,
};

export interface CalendarCall {
  id: CallId;
  topic: string;
  startedAt: Date;
  endedAt: Date;
}

const asFeed = (row: { createdAt: Date } | undefined): CalendarFeed => ({
  createdAt: row?.createdAt.toISOString() ?? null,
});

export const readFeed = (tenant: Tenant, account: AccountId): Promise<CalendarFeed> =>
  tenant.connection(async ({ run }) => {
    const [row] = await run<{ createdAt: Date }>(feedOfAccount, [tenant.orgId, account]);
    return asFeed(row);
  });

/**
 * Makes an address, of which only the hash is stored, in place of the former.
 * @throws DomainError 401 if the session has ended
 */
export async function makeFeed(
  tenant: Tenant,
  { user, session }: Asking & { session: { ssoOrgId: OrgId | null; twoFactors: boolean } },
) {
  const account = user.id;
  const { token, hash } = newOrganizationToken(tenant.orgId, kind);
  const feed = await tenant.transaction(async (tx) => {
    // What ends the session waits for this lock, and then ends the address, too.
    await requireStillAsking(tx, { user, session });
    const values = [tenant.orgId, account, hash, session.ssoOrgId, session.twoFactors];
    const [row] = await tx.run<{ createdAt: Date }>(storeFeed, values);
    const event = {
      action: 'CALENDAR_FEED_CREATED',
      entity: 'account',
      entityId: account,
    } as const;
    await recordEvent(tx, event);
    return asFeed(row);
  });
  return { ...feed, token };
}

export const endFeed = (tenant: Tenant, account: AccountId): Promise<void> =>
  tenant.transaction(async (tx) => {
    if ((await tx.run(removeFeed, [tenant.orgId, account])).length === 0) return;
    const event = {
      action: 'CALENDAR_FEED_REMOVED',
      entity: 'account',
      entityId: account,
    } as const;
    await recordEvent(tx, event);
  });

/**
 * Returns the calls of the person whose calendar has this token, newest first; null if there is none (any more).
 * @param paceOf the organization's turns, once the token is known
 */
export async function callsOfFeed(
  database: Database,
  token: string,
  paceOf: (orgId: OrgId, account: AccountId) => AnswerPace,
): Promise<{ orgId: OrgId; accountId: AccountId; calls: CalendarCall[] } | null> {
  const named = readOrganizationToken(token, kind);
  if (!named) return null;
  const actor = { kind: 'system', name: 'calendar', orgId: named.orgId } as const;
  const [owner] = await tenantOf(database, actor, null).connection(({ run }) =>
    run<{ accountId: AccountId }>(ownerOfFeed, [named.orgId, named.hash]),
  );
  if (!owner) return null;
  const { accountId } = owner;
  const reader = tenantOf(database, actor, null, null, paceOf(named.orgId, accountId));
  const calls = await reader.connection(({ run }) =>
    run<CalendarCall & Record<string, unknown>>(callsOfAccount, [named.orgId, accountId]),
  );
  return { orgId: named.orgId, accountId, calls };
}
