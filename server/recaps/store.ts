import type { AccountId } from '#domain/ids.ts';
import type { RecapRecipients, RecapSettings } from '#domain/recaps/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { lockOrganization } from '#server/organizations/store.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const settingsOfAccount: Statement = {
  name: 'recap_settings_of_account',
  text: `select coalesce((select recipients from recap_settings where org_id = $1), 'nobody') as recipients,
    exists (select from recap_opt_outs where org_id = $1 and account_id = $2) as "isOptedOut"`,
};
const storeSettings: Statement = {
  name: 'store_recap_settings',
  text: `insert into recap_settings as s (org_id, recipients, changed_by) values ($1, $2, $3)
    on conflict (org_id) do update set recipients = excluded.recipients, changed_at = now(),
      changed_by = excluded.changed_by,
      enabled_at = case when s.recipients = 'nobody' then now() else s.enabled_at end`,
};
const optOut: Statement = {
  name: 'opt_out_of_recaps',
  text: `insert into recap_opt_outs (org_id, account_id)
    select org_id, account_id from memberships where org_id = $1 and account_id = $2
    on conflict do nothing returning account_id`,
};
const optIn: Statement = {
  name: 'opt_into_recaps',
  text: 'delete from recap_opt_outs where org_id = $1 and account_id = $2 returning account_id',
};

async function readAt({ run, tenant }: TenantConnection, account: AccountId) {
  const values = [tenant.orgId, account];
  const [row] = await run<RecapSettings & Record<string, unknown>>(settingsOfAccount, values);
  return row ?? { recipients: 'nobody' as const, isOptedOut: false };
}

export const readRecapSettings = (tenant: Tenant, account: AccountId): Promise<RecapSettings> =>
  tenant.connection((at) => readAt(at, account));

export const changeRecapSettings = (
  tenant: Tenant,
  account: AccountId,
  recipients: RecapRecipients,
): Promise<RecapSettings> =>
  tenant.transaction(async (tx) => {
    await lockOrganization(tx);
    const before = await readAt(tx, account);
    if (before.recipients === recipients) return before;
    await tx.run(storeSettings, [tenant.orgId, recipients, actingAccount(tenant)]);
    await recordEvent(tx, {
      action: 'RECAPS_CHANGED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { recipients: { from: before.recipients, to: recipients } },
    });
    return { ...before, recipients };
  });

/** A person who is no member changes nothing. */
export const changeOwnRecaps = (
  tenant: Tenant,
  account: AccountId,
  isOptedOut: boolean,
): Promise<RecapSettings> =>
  tenant.transaction(async (tx) => {
    const changed = await tx.run(isOptedOut ? optOut : optIn, [tenant.orgId, account]);
    if (changed.length > 0)
      await recordEvent(tx, {
        action: isOptedOut ? 'RECAPS_TURNED_OFF' : 'RECAPS_TURNED_ON',
        entity: 'account',
        entityId: account,
      });
    return readAt(tx, account);
  });
