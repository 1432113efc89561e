import type { AiSettings, UpdateAiSettingsBody } from '#domain/ai-settings/contract.ts';
import { DomainError } from '#domain/errors.ts';
import { isExhausted, readBudget } from '#server/ai/budget.ts';
import type { ModelQueue } from '#server/ai/model-queue.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Config } from '#server/config.ts';
import { lockOrganization } from '#server/organizations/store.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

type UsageRow = AiSettings['usage'][number];

const usageOfMonth: Statement = {
  name: 'ai_usage_of_month',
  text: `select provider, model, answers, input_tokens::float8 as "inputTokens",
      output_tokens::float8 as "outputTokens", cost::float8 as cost
    from ai_usage
    where org_id = $1 and month = date_trunc('month', now() at time zone 'UTC')::date
    order by input_tokens + output_tokens desc, provider, model limit 50`,
};
const storeSettings: Statement = {
  name: 'store_ai_settings',
  text: `insert into ai_settings (org_id, provider, monthly_tokens, monthly_cost, changed_at, changed_by)
    values ($1, $2, $3, $4, now(), $5)
    on conflict (org_id) do update set provider = excluded.provider,
      monthly_tokens = excluded.monthly_tokens, monthly_cost = excluded.monthly_cost,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
};

const millionths = 1_000_000;

export interface AiOffer {
  models: ModelQueue;
  config: Config;
}

/** Returns the organization's choice and budget, and what it has used this month. */
export async function readSettings(
  at: TenantConnection,
  { models, config }: AiOffer,
): Promise<AiSettings> {
  const budget = await readBudget(at);
  const usage = await at.run<UsageRow>(usageOfMonth, [at.tenant.orgId]);
  const inUnits = (cost: number | null) => (cost === null ? null : cost / millionths);
  return {
    provider: budget.provider,
    standardProvider: models.standard,
    providers: [
      { id: 'offline', model: null, host: null, isPriced: true },
      ...models.models.map(({ id, model, host, price }) => ({
        ...{ id, model, host },
        isPriced: price !== null,
      })),
    ],
    monthlyTokens: budget.monthlyTokens,
    monthlyCost: inUnits(budget.monthlyCost),
    currency: config.AI_CURRENCY,
    operatorTokens: config.AI_MONTHLY_TOKENS ?? null,
    usage: usage.map(({ cost, ...row }) => ({ ...row, cost: inUnits(cost) })),
    isExhausted: isExhausted(budget, config.AI_MONTHLY_TOKENS, { tokens: 1, cost: 1 }),
  };
}

/** @throws DomainError 400 for an analyzer that the operator did not configure */
export function updateSettings(
  tenant: Tenant,
  offer: AiOffer,
  changed: UpdateAiSettingsBody,
): Promise<AiSettings> {
  const { provider } = changed;
  const offered = ['offline', ...offer.models.models.map(({ id }) => id)];
  if (provider && !offered.includes(provider)) throw notOffered();
  return tenant.transaction(async (tx) => {
    await lockOrganization(tx);
    const before = await readBudget(tx);
    const next = {
      provider: provider === undefined ? before.provider : provider,
      monthlyTokens:
        changed.monthlyTokens === undefined ? before.monthlyTokens : changed.monthlyTokens,
      monthlyCost:
        changed.monthlyCost === undefined
          ? before.monthlyCost
          : changed.monthlyCost && Math.round(changed.monthlyCost * millionths),
    };
    const values = [next.provider, next.monthlyTokens, next.monthlyCost, actingAccount(tenant)];
    await tx.run(storeSettings, [tenant.orgId, ...values]);
    await recordEvent(tx, {
      action: 'AI_SETTINGS_UPDATED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { provider: next.provider, fields: Object.keys(changed) },
    });
    return readSettings(tx, offer);
  });
}

const notOffered = () =>
  new DomainError(
    'invalid',
    'unknown_ai_provider',
    'This analyzer isn’t set up. Choose another one.',
    { errors: [{ path: 'provider', message: 'This analyzer isn’t set up.' }] },
  );
