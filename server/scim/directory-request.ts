import type { ScimEndpoint } from '#domain/scim/endpoints.ts';
import type { JsonObject } from '#domain/scim/json.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Creation } from './create-user.ts';
/** A directory's request with a valid token. */
export interface Asked extends Creation {
  tenant: Tenant;
  /** The base URL of the protocol, for URLs in responses. */
  base: string;
  /** The ID in the path, as written. */
  id: string;
  query: JsonObject;
  /** The JSON object of the request. @throws ScimError 400 */
  body: () => JsonObject;
  /** Charges the organization for so many bytes that were made, whether or not they are sent. */
  made: (bytes: number) => void;
  header: (name: 'if-match' | 'if-none-match') => string | undefined;
}

export interface ScimAnswer {
  status: 200 | 201 | 204 | 304;
  body?: object;
  headers?: Record<string, string>;
}
export type Handlers = Partial<Record<ScimEndpoint, (asked: Asked) => Promise<ScimAnswer>>>;
