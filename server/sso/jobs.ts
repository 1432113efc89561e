import { randomInt } from 'node:crypto';
import pMap from 'p-map';
import type { OrgId, SsoDomainId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { installationUrl } from '#server/platform/public-url.ts';
import type { Services } from '#server/services.ts';
import { checkDomain } from './check-domain.ts';
import { domainsToCheck } from './domain-store.ts';

const forget = { name: 'forget_sso_flows', text: 'select forget_sso_flows()' };

/** An organization's own name servers may be slow, and must not delay the checks of others. */
const organizationsAtOnce = 8;
const domainsAtOnce = 4;
const longestMs = 120_000;

export function ssoJobs(services: Services): void {
  const { jobs } = services;
  jobs.define('sso-check-domains', { everyCron: '23 */6 * * *' }, () => checkDomains(services));
  jobs.define('sso-forget-flows', { everyCron: '*/5 * * * *' }, () => forgetFlows(services));
}

/** Deletes expired sign-ins, and tests an hour after they expire. */
export async function forgetFlows({ database }: Pick<Services, 'database'>): Promise<void> {
  await database.connection('outside', ({ run }) => run(forget, []));
}

/** Checks the records of all verified domains, and of domains that were claimed in the last two weeks. */
export async function checkDomains(services: Services): Promise<void> {
  const rows = await domainsToCheck(services.database);
  const organizations = [...Map.groupBy(rows, ({ orgId }) => orgId)];
  await pMap(
    organizations,
    ([orgId, domains]) => checkDomainsOf(services, orgId, rotated(domains)),
    { concurrency: organizationsAtOnce },
  );
}

/** Checks an organization's domains until its time is up. The next run begins with others. */
async function checkDomainsOf(
  { database, outside, log, config }: Services,
  orgId: OrgId,
  domains: { id: SsoDomainId }[],
): Promise<void> {
  const tenant = tenantOf(database, { kind: 'system', name: 'sso-check-domains', orgId }, null);
  const by = { session: null, home: installationUrl(config) };
  const endsAt = performance.now() + longestMs;
  const check = async ({ id }: { id: SsoDomainId }) => {
    if (performance.now() > endsAt) return;
    await checkDomain(tenant, id, outside.txtRecords, by).catch((error) =>
      log.info({ err: error, domainId: id }, 'a domain could not be checked'),
    );
  };
  await pMap(domains, check, { concurrency: domainsAtOnce });
}

function rotated<T>(all: T[]): T[] {
  const first = randomInt(all.length);
  return [...all.slice(first), ...all.slice(0, first)];
}
