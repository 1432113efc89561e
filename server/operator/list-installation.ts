import { cleanLine } from '#server/mail/clean-name.ts';
import type { Database, Statement } from '#server/platform/database.ts';

const counts: Statement = {
  name: 'operator_counts',
  text: `select (select count(*) from organizations)::int as organizations,
    (select count(*) from accounts)::int as accounts,
    (select count(*) from accounts a where not exists
      (select 1 from memberships m where m.account_id = a.id))::int as without`,
};
const largest: Statement = {
  name: 'operator_organizations',
  text: `select o.id, o.name, o.plan, o.created_at as "createdAt", count(m.account_id)::int as members
    from organizations o left join memberships m on m.org_id = o.id
    group by o.id order by o.id desc limit 200`,
};

/** Returns the counts and organizations of the installation, without any organization's content. */
export async function listInstallation(database: Database): Promise<string> {
  return database.connection('outside', async ({ run }) => {
    const [total] = await run<{ organizations: number; accounts: number; without: number }>(
      counts,
      [],
    );
    const rows = await run<{
      id: string;
      name: string;
      plan: string;
      createdAt: Date;
      members: number;
    }>(largest, []);
    const lines = rows.map(
      ({ id, name, plan, createdAt, members }) =>
        `  ${id}  ${createdAt.toISOString().slice(0, 10)}  ${plan.padEnd(12)} ${String(members).padStart(5)}  ${cleanLine(name)}`,
    );
    return [
      `${total?.organizations ?? 0} organizations, ${total?.accounts ?? 0} accounts, ${total?.without ?? 0} of them in no organization.`,
      ...(lines.length > 0 ? ['  (id, made on, plan, members, name; newest first)'] : []),
      ...lines,
    ].join('\n');
  });
}
