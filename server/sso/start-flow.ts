import { DomainError } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import { unseal } from '#server/platform/seal.ts';
import type { Services } from '#server/services.ts';
import { addressesOf, type ConnectionRow, isComplete } from './connection-store.ts';
import { beginFlow, type Flow, requestIdOf, stateOf } from './flow-store.ts';
import { authorizationUrl, discover, type OidcSettings } from './oidc.ts';
import { type SamlSettings, samlOf } from './saml-response.ts';

interface Start {
  purpose: Flow['purpose'];
  /** The secret in the cookie of the browser that begins. */
  browser: string;
  next: string | null;
  createdBy: AccountId | null;
  loginHint: string | null;
}

/**
 * Begins a sign-in.
 * @param base the server's public URL
 * @returns the URL to redirect the browser to
 * @throws DomainError 409 for an incomplete connection, 400 if its issuer does not answer
 */
export async function startFlow(
  services: Services,
  tenant: Tenant,
  connection: ConnectionRow,
  base: string,
  { loginHint, ...given }: Start,
): Promise<{ id: Flow['id']; url: string }> {
  if (!isComplete(connection)) {
    throw new DomainError(
      'conflict',
      'connection_incomplete',
      'Enter what your identity provider gave you, then turn the connection on.',
    );
  }
  const flow = await beginFlow(tenant, { connectionId: connection.id, ...given });
  const { answerUrl } = addressesOf(connection, base);
  if (connection.kind === 'oidc') {
    const issuer = await discover(oidcSettings(services, connection), services.outside.fetch);
    return { id: flow.id, url: await authorizationUrl(issuer, flow, answerUrl, loginHint) };
  }
  const saml = samlOf(samlSettings(connection, base), requestIdOf(flow));
  return { id: flow.id, url: await saml.getAuthorizeUrlAsync(stateOf(flow), undefined, {}) };
}

export const sealPurpose = 'sso-client-secret';

export function oidcSettings({ secrets }: Services, row: ConnectionRow): OidcSettings {
  const { id, orgId, issuer, clientId, clientSecretSealed } = row;
  return {
    orgId,
    issuer: issuer ?? '',
    clientId: clientId ?? '',
    clientSecret: unseal(secrets, sealPurpose, id, clientSecretSealed ?? ''),
  };
}

export function samlSettings(row: ConnectionRow, base: string): SamlSettings {
  const { answerUrl, ourEntityId } = addressesOf(row, base);
  return {
    entityId: row.entityId ?? '',
    ssoUrl: row.ssoUrl ?? '',
    certificates: row.certificates,
    answerUrl,
    ourEntityId: ourEntityId ?? '',
  };
}
