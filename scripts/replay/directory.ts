import type { Person, Reply } from './person.ts';
import type { Scene } from './scene.ts';

/** Sends a SCIM request of an organization's directory. */
export type Directory = (method: string, path: string, body?: object) => Promise<Reply>;

export async function directoryOf(scene: Scene, admin: Person): Promise<Directory> {
  const made = await admin.call('POST', '/api/scim-tokens', {
    name: 'Directory',
    expiresInDays: null,
  });
  return directoryWith(scene, made.token);
}

export function directoryWith(scene: Scene, token: string): Directory {
  const visitor = scene.visitor();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  return (method, path, body) => visitor.send(method, `/scim/v2${path}`, body, { headers });
}

export const scimUser = (userName: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
});

export const patch = (op: string, path: string, value: unknown) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op, path, value }],
});
