import {
  claimDomain,
  createConnection,
  testConnection,
  updateConnection,
} from '#domain/sso/contract.ts';
import { samlConnection, type Things } from './requests.ts';
import type { Visitor } from './visitor.ts';

let claimed = 0;

/** Creates a domain, a connection to a SAML provider, and a test of it. */
export async function newSsoThings(
  visitor: Visitor,
): Promise<Pick<Things, 'connections' | 'domains' | 'tests'>> {
  claimed += 1;
  const body = { kind: 'saml', name: 'Okta' };
  const { id } = await visitor.call(createConnection, { body });
  const domain = await visitor.call(claimDomain, {
    body: { domain: `claimed-${claimed}.example` },
  });
  await visitor.call(updateConnection, { params: { id }, body: samlConnection() });
  const test = await visitor.call(testConnection, { params: { id } });
  return { connections: id, domains: domain.id, tests: test.id };
}
