import type { Account } from '#domain/billing/entitlements.ts';
import type { PlanId } from '#domain/billing/plans.ts';
import { notFound } from '#domain/errors.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

// Months are in UTC, like the calls' times. Creation times count, because a client may choose a
// call's start. Rooms carry the counts (migration 0040).
const accountOf: Statement = {
  name: 'billing_account',
  text: `select o.name, o.plan, o.created_at as "createdAt",
      coalesce(sum(r.call_count), 0)::int as "callsInAll",
      coalesce(sum(r.calls_in_month) filter (
        where r.newest_month = date_trunc('month', $2::timestamptz at time zone 'UTC')), 0)::int
        as "callsThisMonth"
    from organizations o left join rooms r on r.org_id = o.id and r.sample_set_id is null
    where o.id = $1
    group by o.id`,
};

/**
 * Returns the organization's plan and usage.
 * @throws DomainError 404
 */
export async function readAccount(
  { run, tenant }: TenantConnection,
  now: Date,
): Promise<Account & { name: string; plan: PlanId }> {
  const [found] = await run<Account & { name: string }>(accountOf, [tenant.orgId, now]);
  if (!found) throw notFound();
  return found;
}

const lock: Statement = {
  name: 'lock_organization_for_call',
  text: 'select 1 from organizations where id = $1 for no key update',
};
/** Makes concurrent starts of calls wait until the previous one is counted. */
export const lockAccount = ({ run, tenant }: TenantConnection) => run(lock, [tenant.orgId]);
