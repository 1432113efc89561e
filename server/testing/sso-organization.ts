import { inflateRawSync } from 'node:zlib';
import type { Role } from '#domain/auth/permissions.ts';
import {
  claimDomain,
  createConnection,
  readSso,
  startSso,
  updateConnection,
  verifyDomain,
} from '#domain/sso/contract.ts';
import type { TestApp } from './open-test-app.ts';
import { samlConnection } from './requests.ts';
import { newMember, newOrganization, Visitor } from './visitor.ts';

/** TXT records that tests write, passed to the app as `outside.txtRecords`. */
export function fakeRecords() {
  const records = new Map<string, string[] | null>();
  return {
    records,
    txtRecords: async (name: string) => records.get(name) ?? (records.has(name) ? null : []),
  };
}

/** Creates an organization with a verified domain and an enabled connection. */
export async function newSsoOrganization(
  app: TestApp,
  { records }: ReturnType<typeof fakeRecords>,
  domain: string,
  kind: 'oidc' | 'saml',
  settings: object = {},
) {
  const admin = await newOrganization(app);
  const claimed = await admin.call(claimDomain, { body: { domain } });
  records.set(claimed.recordName, [claimed.recordText]);
  await admin.call(verifyDomain, { params: { id: claimed.id } });
  const { id } = await admin.call(createConnection, { body: { kind, name: 'Sign-on' } });
  const body = samlConnection({
    name: 'Sign-on',
    enabled: true,
    ...(kind === 'oidc' ? { entityId: '', ssoUrl: '', certificate: '' } : {}),
    ...settings,
  });
  const connection = await admin.call(updateConnection, { params: { id }, body });
  return { admin, domain, connection };
}
export type SsoOrganization = Awaited<ReturnType<typeof newSsoOrganization>>;

/** A new member whose address is in the organization's domain. */
export async function newColleague(app: TestApp, { admin, domain }: SsoOrganization, role: Role) {
  return moveAddress(app, await newMember(app, admin, role), domain);
}

/** Gives an account an address in another domain. */
export async function moveAddress<Person extends { user: { id: string; email: string } }>(
  app: TestApp,
  person: Person,
  domain: string,
): Promise<Person> {
  const email = `${person.user.id}@${domain}`;
  await app.owner.query('update accounts set email = $2 where id = $1', [person.user.id, email]);
  return Object.assign(person, { user: { ...person.user, email } });
}

/** Changes some settings of a connection, as an admin on the page. */
export async function change({ admin, connection }: SsoOrganization, settings: object) {
  const { id } = connection;
  const now = (await admin.call(readSso)).connections.find((one) => one.id === id);
  const kept = {
    ...now,
    roleClaim: now?.roleClaim ?? '',
    issuer: now?.issuer ?? '',
    clientId: now?.clientId ?? '',
    entityId: now?.entityId ?? '',
    ssoUrl: now?.ssoUrl ?? '',
  };
  const none = { clientSecret: '', metadata: '', metadataUrl: '', certificate: '' };
  await admin.call(updateConnection, { params: { id }, body: { ...kept, ...none, ...settings } });
}

/** A browser that follows redirects with all its cookies. */
export class Browser extends Visitor {
  readonly #cookies = new Map<string, string>();
  readonly #http: TestApp['http'];

  constructor(app: TestApp) {
    super(app);
    this.#http = app.http;
  }

  get isSignedIn(): boolean {
    return this.#cookies.has('rapport_session');
  }

  async visit(
    url: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const fromElsewhere = form !== undefined;
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#http.inject({
      method: form ? 'POST' : 'GET',
      url: url.replace(/^https?:\/\/[^/]+/, ''),
      headers: {
        host: 'localhost:80',
        // A browser sends no lax cookie with a form from another site.
        ...(cookie && !fromElsewhere ? { cookie } : {}),
        ...(form
          ? {
              'content-type': 'application/x-www-form-urlencoded',
              origin: 'https://idp.example',
              'sec-fetch-site': 'cross-site',
            }
          : {}),
        ...headers,
      },
      ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
    });
    this.#keep(answer.cookies);
    return String(answer.headers.location ?? answer.statusCode);
  }

  /** Starts single sign-on as the sign-in page does. */
  async start(email: string, more: object = {}): Promise<string> {
    const answer = await this.#http.inject({
      method: startSso.method,
      url: startSso.path,
      payload: { email, ...more },
    });
    this.#keep(answer.cookies);
    if (answer.statusCode !== 200) throw new Error(answer.payload);
    return JSON.parse(answer.payload).url;
  }

  /** Returns the user of the session, from `/api/user`. */
  async user(): Promise<Record<string, unknown>> {
    this.cookie = `rapport_session=${this.#cookies.get('rapport_session') ?? ''}`;
    return (await this.send('GET', '/api/user')).body as Record<string, unknown>;
  }

  #keep(cookies: { name: string; value: string }[]): void {
    for (const { name, value } of cookies) {
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
  }
}

/** Returns the id of a SAML request, and the state for its answer. */
export function readRequest(url: string): { id: string; relayState: string; xml: string } {
  const { searchParams } = new URL(url);
  const packed = Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64');
  const xml = inflateRawSync(packed).toString();
  return {
    id: /\bID="([^"]+)"/.exec(xml)?.[1] ?? '',
    relayState: searchParams.get('RelayState') ?? '',
    xml,
  };
}

/** Marks a member's sessions as started by the organization's single sign-on. */
export async function asBegunBySso(
  app: TestApp,
  { user }: { user: { id: string } },
): Promise<void> {
  await app.owner.query(
    `update sessions s set method = 'saml', sso_org_id = m.org_id
     from memberships m where m.account_id = s.account_id and s.account_id = $1`,
    [user.id],
  );
}
