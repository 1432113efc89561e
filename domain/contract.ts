import type { z } from 'zod';
import type { ApiScope } from '#domain/api/scopes.ts';
import type { Permission } from '#domain/auth/permissions.ts';

/** Bytes of a body if its contract declares no limit: more than any form of ours needs. */
export const defaultBodyLimit = 16 * 1024;

/** Requests per client address, in one server process. */
export interface RateLimit {
  /** Contracts with the same name share one counter. Part of the error code: `too_many_<name>`. */
  name: string;
  most: number;
  windowSeconds: number;
}

/**
 * One endpoint, as a plain value. Routes, the typed client, the OpenAPI description and the
 * permission matrix are derived from it.
 * - `path` uses `:name` for parameters, which `params` describes.
 * - `permission`: `public` needs no session, `session` any signed-in account (even one without an
 *   organization), anything else is a row of the permission table and needs an organization.
 * - `output` maps each successful status to the shape of its body; `null` means no body.
 * - `errors` lists the refusals that the handler itself adds to the general ones.
 */
export interface Contract {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/api/${string}`;
  summary: string;
  permission: 'public' | 'session' | Permission;
  /** The scope by which API tokens may use it; without one, they are refused. */
  scope?: ApiScope;
  /**
   * Refused with 403 `email_unverified` until the account's address is verified: it reaches other people, or
   * stays in force after the owner of the address takes over the account.
   */
  needsVerifiedAddress?: true;
  /**
   * It adds rows or texts of which an organization may have any number, so it is refused with 429 `too_many_stored_bytes`
   * while the organization has stored too much (server/platform/stored-bytes.ts). What reads, takes away, revokes, or
   * ends is not.
   */
  stores?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Most bytes of the body, `defaultBodyLimit` by default. Each declaration states its reason. */
  bodyLimit?: number;
  /** Counted by client address before the body is read. */
  rateLimit?: RateLimit;
  /** Takes one file instead of a JSON body: multipart/form-data with a part named `file`. */
  file?: { mostBytes: number };
  /** Answers a file of one of these types instead of JSON; its 200 is `null` in `output`. */
  download?: readonly string[];
  output: Partial<Record<200 | 201 | 204, z.ZodType | null>>;
  errors?: readonly (400 | 401 | 402 | 403 | 404 | 409 | 410 | 413 | 415 | 429 | 507)[];
}

export const contract = <const C extends Contract>(value: C): C => value;

type Inferred<T> = T extends z.ZodType ? z.infer<T> : undefined;
type Given<T> = T extends z.ZodType ? z.input<T> : undefined;

export type ParamsOf<C extends Contract> = Inferred<C['params']>;
export type QueryOf<C extends Contract> = Inferred<C['query']>;
export type BodyOf<C extends Contract> = Inferred<C['body']>;
/** The body as a client sends it: before defaults and transforms. */
export type SentBodyOf<C extends Contract> = Given<C['body']>;
export type SentQueryOf<C extends Contract> = Given<C['query']>;
export type OutputOf<C extends Contract> = {
  [S in keyof C['output']]: C['output'][S] extends z.ZodType ? z.infer<C['output'][S]> : undefined;
}[keyof C['output']];
