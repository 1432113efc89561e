import type { FakeProvider } from '#server/testing/oidc-provider.ts';
import { samlConnection } from '#server/testing/requests.ts';
import type { Person } from './person.ts';
import type { Scene } from './scene.ts';

const openId = {
  clientId: 'client',
  clientSecret: 'a secret',
  entityId: '',
  ssoUrl: '',
  certificate: '',
};

/** Creates an enabled connection of the organization to the fake OpenID provider. */
export async function connect(admin: Person, idp: Pick<FakeProvider, 'issuer'>, name = 'Sign-on') {
  const { id } = await admin.call('POST', '/api/sso/connections', { kind: 'oidc', name });
  const settings = { ...openId, name, enabled: true, issuer: idp.issuer };
  return admin.call('PUT', `/api/sso/connections/${id}`, samlConnection(settings));
}

/**
 * Creates an admin whose organization has verified the domain, and signs its people in by the fake
 * provider.
 */
export async function ssoOrganization(scene: Scene, domain: string, idp = scene.idp) {
  const admin = await scene.admin();
  const domainId = await scene.ownDomain(admin, domain);
  const connection = await connect(admin, idp);
  await admin.call('PUT', `/api/sso/domains/${domainId}`, { connectionId: connection.id });
  return { admin, connection, domainId };
}

/**
 * Signs in by single sign-on with these claims from the fake provider. Returns where the browser
 * was redirected.
 */
export async function signInBySso(
  scene: Scene,
  startWith: string,
  claims: Record<string, unknown>,
  idp = scene.idp,
) {
  const browser = scene.visitor();
  const { url } = await browser.call('POST', '/api/sso/start', { email: startWith });
  const asked = new URL(url);
  idp.nonceOf(url);
  idp.next = { person: { sub: 'nobody', email: 'nobody@example.com' }, with: claims, sign: null };
  const back = new URL(asked.searchParams.get('redirect_uri') ?? '');
  const query = new URLSearchParams({ code: 'c', state: asked.searchParams.get('state') ?? '' });
  const landed = await browser.send('GET', `${back.pathname}?${query}`);
  const user = (await browser.send('GET', '/api/user')).body;
  return { browser, landed: String(landed.headers.location), user: user?.email ? user : null };
}
