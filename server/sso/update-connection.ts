import { invalid } from '#domain/errors.ts';
import type { OrgId, SsoConnectionId } from '#domain/ids.ts';
import type { SsoConnectionSettings } from '#domain/sso/contract.ts';
import type { Tenant } from '#server/platform/access.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { seal } from '#server/platform/seal.ts';
import type { Services } from '#server/services.ts';
import {
  type ConnectionChange,
  type ConnectionRow,
  findConnection,
  updateConnection,
} from './connection-store.ts';
import { refuseSharedIssuer } from './entra.ts';
import { discover } from './oidc.ts';
import { readCertificates, readMetadata, type SamlProvider } from './saml-metadata.ts';
import { oidcSettings, sealPurpose } from './start-flow.ts';
import type { ChangingSso } from './tell-admins.ts';

const longestMetadata = 500_000;
/** Hosts that admins enter may be slow, so an organization has two requests at a time. */
const turns = new FairQueue({ atOnce: Number.POSITIVE_INFINITY, perKey: 2, mostWaiting: 10 });

/**
 * Reads the metadata, certificate, or issuer in a connection's settings, and then stores the settings.
 * @throws DomainError 400 with the problem, 404, 409, 429 if too many changes wait
 */
export async function setUpConnection(
  services: Services,
  tenant: Tenant,
  id: SsoConnectionId,
  given: SsoConnectionSettings,
  by: ChangingSso,
): Promise<ConnectionRow> {
  const before = await findConnection(tenant, id);
  const { name, enabled, allowIdpInitiated, defaultRole, roleRules } = given;
  const common = {
    ...{ name, enabled, defaultRole, roleRules },
    allowIdpInitiated: before.kind === 'saml' && allowIdpInitiated,
    roleClaim: given.roleClaim || null,
  };
  const provider = await turns.run(tenant.orgId, () =>
    before.kind === 'oidc' ? readOidc(services, before, given) : readSaml(services, before, given),
  );
  return updateConnection(tenant, id, { ...common, ...provider }, by);
}

type Provider = Omit<
  ConnectionChange,
  'name' | 'enabled' | 'allowIdpInitiated' | 'defaultRole' | 'roleClaim' | 'roleRules'
>;

async function readOidc(
  services: Services,
  before: ConnectionRow,
  given: SsoConnectionSettings,
): Promise<Provider> {
  const clientSecretSealed = given.clientSecret
    ? seal(services.secrets, sealPurpose, before.id, given.clientSecret)
    : before.clientSecretSealed;
  const after = {
    issuer: given.issuer || null,
    clientId: given.clientId || null,
    clientSecretSealed,
    entityId: null,
    ssoUrl: null,
    certificates: [],
  };
  const isOther = after.issuer !== before.issuer;
  // Keeps an admin from sending the stored secret to another issuer.
  if (isOther && before.clientSecretSealed && !given.clientSecret) {
    throw invalid(
      'secret_needed',
      'Please enter the client secret again. The stored one belongs to the previous issuer.',
      'clientSecret',
    );
  }
  if (after.issuer) refuseSharedIssuer(after.issuer);
  if (after.issuer && after.clientSecretSealed) {
    const settings = oidcSettings(services, { ...before, ...after });
    await discover(settings, services.outside.fetch, { freshly: true });
  }
  return after;
}

async function readSaml(
  { outside }: Services,
  before: ConnectionRow,
  given: SsoConnectionSettings,
): Promise<Provider> {
  const provider = await samlProvider(outside.fetch, before, given);
  return { issuer: null, clientId: null, clientSecretSealed: null, ...provider };
}

async function samlProvider(
  fetch: Services['outside']['fetch'],
  before: ConnectionRow,
  given: SsoConnectionSettings,
): Promise<Pick<Provider, 'entityId' | 'ssoUrl' | 'certificates'>> {
  if (given.metadata) return readMetadata(given.metadata, 'metadata');
  if (given.metadataUrl) return fetchMetadata(fetch, given.metadataUrl, before.orgId);
  return {
    entityId: given.entityId || null,
    ssoUrl: given.ssoUrl || null,
    // Only their fingerprints are shown, so an empty field keeps the certificates.
    certificates: given.certificate
      ? readCertificates(splitCertificates(given.certificate), 'certificate')
      : before.certificates,
  };
}

async function fetchMetadata(
  fetch: Services['outside']['fetch'],
  url: string,
  payer: OrgId,
): Promise<SamlProvider> {
  const answer = await fetch(url, { payer, mostBytes: longestMetadata });
  if (!answer.ok) {
    throw invalid('bad_metadata', `The address answered ${answer.status}.`, 'metadataUrl');
  }
  return readMetadata(await answer.text(), 'metadataUrl');
}

/** The field holds several during a provider's key change. */
const splitCertificates = (given: string): string[] =>
  given.split(/(?<=-----END CERTIFICATE-----)/).filter((one) => one.trim() !== '');
