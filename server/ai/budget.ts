import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

export interface AiBudget {
  provider: string | null;
  monthlyTokens: number | null;
  /** Millionths of the operator's currency, as is `usedCost`. */
  monthlyCost: number | null;
  usedTokens: number;
  usedCost: number;
}

const budget: Statement = {
  name: 'ai_budget',
  text: `select s.provider, s.monthly_tokens::float8 as "monthlyTokens",
      s.monthly_cost::float8 as "monthlyCost",
      coalesce(u.tokens, 0)::float8 as "usedTokens", coalesce(u.cost, 0)::float8 as "usedCost"
    from (select 1) one left join ai_settings s on s.org_id = $1
    cross join (
      select sum(input_tokens + output_tokens) as tokens, sum(cost) as cost from ai_usage
      where org_id = $1 and month = date_trunc('month', now() at time zone 'UTC')::date
    ) u`,
};

const nothing: AiBudget = {
  provider: null,
  monthlyTokens: null,
  monthlyCost: null,
  usedTokens: 0,
  usedCost: 0,
};

/** Returns the choice of the organization, its budget, and what it has used of it this month (UTC). */
export async function readBudget(at: TenantConnection): Promise<AiBudget> {
  const [row] = await at.run<AiBudget>(budget, [at.tenant.orgId]);
  return row ?? nothing;
}

/**
 * Returns whether a further question would exceed a budget.
 * @param operatorTokens the operator's limit for each organization
 * @param next tokens that running questions and the next one may use
 */
export function isExhausted(
  { monthlyTokens, monthlyCost, usedTokens, usedCost }: AiBudget,
  operatorTokens: number | undefined,
  next: { tokens: number; cost: number },
): boolean {
  const mostTokens = Math.min(
    monthlyTokens ?? Number.POSITIVE_INFINITY,
    operatorTokens ?? Number.POSITIVE_INFINITY,
  );
  return (
    usedTokens + next.tokens > mostTokens ||
    (monthlyCost !== null && usedCost + next.cost > monthlyCost)
  );
}
