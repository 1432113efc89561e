import { DomainError } from '#domain/errors.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eq } from '#server/platform/drizzle.ts';
import { signInPolicies } from './tables.ts';

const membersWithout: Statement = {
  name: 'members_without_second_factor',
  text: `select count(*)::int as count from memberships m where m.org_id = $1
    and not exists (select 1 from totp_factors f
      where f.account_id = m.account_id and f.confirmed_at is not null)
    and not exists (select 1 from passkeys p where p.account_id = m.account_id)`,
};

async function policyOf({ db, run, tenant }: TenantConnection) {
  const [[policy], [without]] = await Promise.all([
    db.select().from(signInPolicies).where(eq(signInPolicies.orgId, tenant.orgId)),
    run<{ count: number }>(membersWithout, [tenant.orgId]),
  ]);
  return {
    twoFactorRequired: Boolean(policy?.twoFactorRequiredAt),
    membersWithout: without?.count ?? 0,
  };
}

export const readPolicy = (tenant: Tenant) => tenant.connection(policyOf);

/**
 * Requires a second factor of the members, or no longer. It applies from their next request on.
 * @param hasTwoFactors whether the acting admin has one, so that they cannot lock themselves out
 * @throws DomainError 409
 */
export function updatePolicy(tenant: Tenant, twoFactorRequired: boolean, hasTwoFactors: boolean) {
  return tenant.transaction(async (tx) => {
    const before = await policyOf(tx);
    if (before.twoFactorRequired === twoFactorRequired) return before;
    if (twoFactorRequired && !hasTwoFactors) {
      throw new DomainError(
        'conflict',
        'own_second_factor_first',
        'Set up your own second factor first, or sign in with your passkey, on your profile.',
      );
    }
    const set = {
      twoFactorRequiredAt: twoFactorRequired ? new Date() : null,
      twoFactorRequiredBy: twoFactorRequired ? actingAccount(tenant) : null,
    };
    await tx.db
      .insert(signInPolicies)
      .values({ orgId: tenant.orgId, ...set })
      .onConflictDoUpdate({ target: signInPolicies.orgId, set });
    await recordEvent(tx, {
      action: 'SIGN_IN_POLICY_UPDATED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { twoFactorRequired: { from: !twoFactorRequired, to: twoFactorRequired } },
    });
    return { ...before, twoFactorRequired };
  });
}
