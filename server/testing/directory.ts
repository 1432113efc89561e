import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { createScimToken } from '#domain/scim/contract.ts';
import { scimPath } from '#domain/scim/endpoints.ts';
import type { TestApp } from './open-test-app.ts';
import type { Visitor } from './visitor.ts';

/** An answer's resource. A test reads the fields that it expects. */
interface Resource {
  id: string;
  meta: { version: string; location: string };
  totalResults: number;
  Resources: Resource[];
  [name: string]: unknown;
}

export interface Said {
  status: number;
  /** Null for an answer without a body. */
  body: Resource;
  headers: Record<string, unknown>;
}

export const patchOf = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Marks a domain as verified, without its TXT record. */
export async function ownDomain(
  app: TestApp,
  { user }: { user: { orgId: string | null } },
  domain: string,
): Promise<void> {
  await app.owner.query(
    `insert into sso_domains (id, org_id, domain, token, verified_at)
      values (gen_random_uuid(), $1, $2, 'a token', now())
      on conflict on constraint sso_domains_once do nothing`,
    [user.orgId, domain],
  );
}

/** An organization's directory, like Okta and Entra ID: sends requests with a bearer token. */
export class Directory {
  readonly #app: TestApp;
  readonly token: string;

  constructor(app: TestApp, token: string) {
    this.#app = app;
    this.token = token;
  }

  /** Creates the directory of the admin's organization, for which it verifies a domain. */
  static async of(
    app: TestApp,
    admin: Visitor & { user: { orgId: string | null } },
    domain = 'directory.example',
  ): Promise<Directory> {
    await ownDomain(app, admin, domain);
    const { token } = await admin.call(createScimToken, {
      body: { name: 'Directory', expiresInDays: null },
    });
    return new Directory(app, token);
  }

  async ask(
    method: NonNullable<InjectOptions['method']>,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ): Promise<Said> {
    const payload = typeof body === 'object' ? JSON.stringify(body) : body;
    const answer = await this.#app.http.inject({
      method,
      url: `${scimPath}${path}`,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(payload === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const { statusCode: status, payload: text } = answer;
    return { status, body: text ? JSON.parse(text) : null, headers: answer.headers };
  }

  /** Provisions a person, and returns the resource. */
  async user(userName: string, more: object = {}): Promise<Resource> {
    const said = await this.ask('POST', '/Users', { schemas: [userUrn], userName, ...more });
    if (said.status !== 201) throw new Error(`${said.status}: ${JSON.stringify(said.body)}`);
    return said.body;
  }

  async group(displayName: string, ids: string[] = []): Promise<string> {
    const members = ids.map((value) => ({ value }));
    const said = await this.ask('POST', '/Groups', { displayName, members });
    if (said.status !== 201) throw new Error(`${said.status}: ${JSON.stringify(said.body)}`);
    return said.body.id;
  }
}

/** Creates a token and a group for the matrix tests. */
export async function scimThings(app: TestApp, admin: { user: { orgId: string | null } }) {
  const ids = { 'scim-tokens': randomUUID(), 'scim-groups': randomUUID() };
  const { orgId } = admin.user;
  // Tokens of earlier tests would fill up the list.
  await app.owner.query('delete from scim_tokens where org_id = $1', [orgId]);
  // Orphaned, so that it can be adopted, too.
  await app.owner.query(
    `insert into scim_tokens (id, org_id, name, token_hash, orphaned_at, expires_at)
     values ($1, $2, $3, $4, now(), now() + interval '7 days')`,
    [ids['scim-tokens'], orgId, 'Directory', Buffer.from(ids['scim-tokens'])],
  );
  const group = ids['scim-groups'];
  await app.owner.query('insert into scim_groups (id, org_id, display_name) values ($1, $2, $3)', [
    group,
    orgId,
    group,
  ]);
  return ids;
}
