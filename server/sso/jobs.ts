import { tenantOf } from '#server/platform/access.ts';
import type { Services } from '#server/services.ts';
import { checkDomain, domainsToCheck } from './domain-store.ts';

const forget = { name: 'forget_sso_flows', text: 'select forget_sso_flows()' };

export function ssoJobs(services: Services): void {
  const { database, jobs } = services;
  jobs.define('sso-check-domains', { everyCron: '23 */6 * * *' }, () => checkDomains(services));
  jobs.define('sso-forget-flows', { everyCron: '*/30 * * * *' }, async () => {
    await database.read('outside', ({ run }) => run(forget, []));
  });
}

/** Looks for the record of every domain again: verified ones, and those claimed in the last two weeks. */
export async function checkDomains({ database, outside, log }: Services): Promise<void> {
  for (const { orgId, id } of await domainsToCheck(database)) {
    const system = { kind: 'system' as const, name: 'sso-check-domains', orgId };
    await checkDomain(tenantOf(database, system, null), id, outside.txtRecords, null).catch(
      (error) => log.info({ err: error, domainId: id }, 'a domain could not be checked'),
    );
  }
}
