import type { LoggedCall, LoggedItem } from '#domain/crm/call-text.ts';
import type { CrmMapping, CrmVendor } from '#domain/crm/mapping.ts';

/** Sends a request to a public address only (server/platform/safe-fetch.ts). */
export type CrmFetch = (
  url: string,
  options: { method: string; headers: Record<string, string>; body?: string; timeoutMs: number },
) => Promise<Response>;

/** What a vendor's token endpoint answers. */
export interface Grant {
  accessToken: string;
  /** Null if the previous one stays valid. */
  refreshToken: string | null;
  /** Null where the vendor does not say it. */
  expiresInSeconds: number | null;
  /** Where the API is. */
  apiBase: string;
}

/** A valid access token and where it is used. */
export interface Access {
  token: string;
  base: string;
}

export interface Contact {
  kind: 'contact' | 'lead';
  id: string;
}

export type CrmFields = Record<string, string | number | null>;

/** By which a call is found again. */
export type CallKey = Pick<LoggedCall, 'id' | 'startedAt' | 'url'>;

/** One CRM. Every function that asks it throws CrmFailure. */
export interface Crm {
  vendor: CrmVendor;
  /** Where a person allows the access. `challenge` is of PKCE (S256). */
  authorizationUrl(given: { state: string; redirectUri: string; challenge: string }): string;
  exchange(given: { code: string; redirectUri: string; verifier: string }): Promise<Grant>;
  refresh(refreshToken: string, apiBase: string): Promise<Grant>;
  revoke(refreshToken: string): Promise<void>;
  account(access: Access): Promise<{ id: string; name: string }>;
  /** Returns those with exactly this address: two if there are several. */
  findContacts(access: Access, email: string): Promise<Contact[]>;
  /** Returns the call that an attempt without an answer has created; null if there is none. */
  findCreated(access: Access, contact: Contact, call: CallKey): Promise<string | null>;
  callFields(call: LoggedCall, mapping: CrmMapping): CrmFields;
  taskFields(item: LoggedItem, call: LoggedCall): CrmFields;
  create(
    access: Access,
    kind: 'call' | 'task',
    contact: Contact,
    fields: CrmFields,
  ): Promise<string>;
  update(access: Access, kind: 'call' | 'task', id: string, fields: CrmFields): Promise<void>;
  /** Succeeds if it is gone already. */
  remove(access: Access, kind: 'call' | 'task', id: string): Promise<void>;
}

type FailureKind = 'unauthorized' | 'forbidden' | 'busy' | 'unavailable' | 'rejected' | 'missing';

/**
 * Why a CRM did not do what it was asked. `unauthorized`: the token is not accepted. `forbidden`: it lacks a right.
 * `busy`: too many requests. `unavailable`: no answer, or none that can be read. `rejected`: the request is wrong.
 * `missing`: the object is gone.
 */
export class CrmFailure extends Error {
  readonly kind: FailureKind;
  readonly retryAfterSeconds: number | null;
  constructor(kind: FailureKind, message: string, retryAfterSeconds: number | null = null) {
    super(message.replaceAll('\0', '').slice(0, 300));
    this.name = 'CrmFailure';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Passes over the failure of a request about an object that is gone. */
export function unlessMissing(error: unknown): void {
  if (!(error instanceof CrmFailure && error.kind === 'missing')) throw error;
}
