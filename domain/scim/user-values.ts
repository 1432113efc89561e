import { emailAddress } from '#domain/text.ts';
import { badValue } from './error.ts';
import { isObject, type JsonObject } from './json.ts';

/** A directory's data of a person, split into fields that are looked up and others that are only stored. */
export interface UserValues {
  userName: string;
  externalId: string | null;
  /** Undefined if it was not sent. */
  active: boolean | undefined;
  attributes: JsonObject;
  /** The fields of the account. */
  email: string;
  firstName: string;
  lastName: string;
}

const longestName = 100;
const longestUserName = 254;
/** Directories send one for work and one for home. */
const mostEmails = 10;
/** RFC 5321, 4.5.3.1.3. */
const longestEmail = 254;
/** Characters of JSON, the most of one request. Several PATCHes together may not exceed it. */
const longestAttributes = 64 * 1024;
const address = emailAddress('');

/**
 * @param resource coerced by the schema
 * @throws ScimError 400 invalidValue
 */
export function readUserValues(resource: JsonObject): UserValues {
  const { userName, externalId, active, ...attributes } = resource;
  const trimmed = typeof userName === 'string' ? userName.trim() : '';
  if (trimmed === '') throw badValue('userName is missing.');
  if (trimmed.length > longestUserName) {
    throw badValue(`userName may have ${longestUserName} characters at most.`);
  }
  const email = emailOf(attributes) ?? trimmed;
  const parsed = address.safeParse(email);
  if (!parsed.success) {
    throw badValue('A user needs a valid email address: in emails, or as userName.');
  }
  return {
    userName: trimmed,
    externalId: typeof externalId === 'string' ? externalId : null,
    active: typeof active === 'boolean' ? active : undefined,
    attributes,
    email: parsed.data,
    ...namesOf(attributes, parsed.data),
  };
}

/**
 * Bounds a person's stored attributes, because searches read them.
 * @throws ScimError 400 invalidValue
 */
export function boundAttributes(attributes: JsonObject): void {
  const emails = Array.isArray(attributes.emails) ? attributes.emails.filter(isObject) : [];
  if (emails.length > mostEmails) throw badValue(`emails may have ${mostEmails} values at most.`);
  if (emails.some(({ value }) => String(value ?? '').length > longestEmail)) {
    throw badValue(`An email address may have ${longestEmail} characters at most.`);
  }
  if (JSON.stringify(attributes).length > longestAttributes) {
    throw badValue('A user may have attributes of 64 KB in all. Send fewer or shorter ones.');
  }
}

/** Returns the primary address, else the one for work, else the first. */
function emailOf({ emails }: JsonObject): string | undefined {
  const list = Array.isArray(emails) ? emails.filter(isObject) : [];
  const chosen =
    list.find(({ primary }) => primary === true) ??
    list.find(({ type }) => String(type).toLowerCase() === 'work') ??
    list[0];
  return typeof chosen?.value === 'string' ? chosen.value : undefined;
}

/**
 * Returns first and last name. Every account has a first name; if the directory sends none, its
 * display name or the address is used.
 */
function namesOf({ name, displayName }: JsonObject, email: string) {
  const parts = isObject(name) ? name : {};
  const said = (value: unknown) =>
    typeof value === 'string' ? value.trim().slice(0, longestName) : '';
  const given = said(parts.givenName);
  const family = said(parts.familyName);
  if (given || family) return { firstName: given || family, lastName: given ? family : '' };
  const whole = said(parts.formatted) || said(displayName);
  return { firstName: whole || (email.split('@')[0] ?? email), lastName: '' };
}
