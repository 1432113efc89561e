import type { ScimEndpoint } from '#domain/scim/endpoints.ts';
import type { JsonObject } from '#domain/scim/json.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Creation } from './create-user.ts';
/** A request of a directory whose token was let in. */
export interface Asked extends Creation {
  tenant: Tenant;
  /** Where the protocol is served, for the addresses in answers. */
  base: string;
  /** What the path names, as it was written. */
  id: string;
  query: JsonObject;
  /** The JSON of the request, an object. @throws ScimError 400 */
  body: () => JsonObject;
  header: (name: 'if-match' | 'if-none-match') => string | undefined;
}

export interface ScimAnswer {
  status: 200 | 201 | 204 | 304;
  body?: object;
  headers?: Record<string, string>;
}
export type Handlers = Partial<Record<ScimEndpoint, (asked: Asked) => Promise<ScimAnswer>>>;
