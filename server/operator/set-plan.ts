import { type OrgId, orgId } from '#domain/ids.ts';
import { plans } from '#domain/organizations/contract.ts';
import { cleanLine } from '#server/mail/clean-name.ts';
import { changeOrganization, lockOrganization } from '#server/organizations/store.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';

interface Found {
  id: OrgId;
  name: string;
  createdAt: Date;
}

const byId: Statement = {
  name: 'operator_organization_by_id',
  text: 'select id, name, created_at as "createdAt" from organizations where id = $1',
};
const byName: Statement = {
  name: 'operator_organizations_by_name',
  text: `select id, name, created_at as "createdAt" from organizations
    where lower(name) = lower($1) order by id limit 20`,
};

/**
 * Sets the plan of an organization, without payment by card.
 * @param given its ID, or its name if that is unique
 * @returns what was done, as a sentence
 * @throws an Error that states what to do
 */
export async function setPlan(database: Database, given: string, wanted: string): Promise<string> {
  const plan = plans.find((one) => one === wanted.toLowerCase());
  if (!plan) throw new Error(`There is no plan ${wanted}. Choose one of: ${plans.join(', ')}.`);
  const { id, name: asTyped } = await findOne(database, given.trim());
  const name = cleanLine(asTyped);
  const operator = { kind: 'system' as const, name: 'operator', orgId: id };
  const before = await tenantOf(database, operator, null).transaction(async (tx) => {
    const row = await lockOrganization(tx);
    if (row.plan === plan) return plan;
    const changed = { fields: ['plan'], plan: { from: row.plan, to: plan } };
    await changeOrganization(tx, { plan }, { action: 'ORGANIZATION_UPDATED', ...changed });
    return row.plan;
  });
  return before === plan
    ? `${name} has the plan ${plan} already; nothing was changed.`
    : `${name} has the plan ${plan} now (was ${before}).`;
}

async function findOne(database: Database, given: string): Promise<Found> {
  const statement = orgId.safeParse(given).success ? byId : byName;
  const found = await database.connection('outside', ({ run }) => run<Found>(statement, [given]));
  const [first, ...others] = found;
  if (!first) throw new Error(`No organization has the name or id ${given}.`);
  if (others.length > 0) {
    const lines = found.map((each) => `  ${each.id}  made ${each.createdAt.toISOString()}`);
    throw new Error(`Several are named ${given}. Name one by its id:\n${lines.join('\n')}`);
  }
  return first;
}
