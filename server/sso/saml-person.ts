import { z } from 'zod';
import { withLowerCaseAscii } from '#domain/text.ts';
import { type Asserted, SsoRefusal } from './asserted.ts';
import { attributeOf, childrenOf, ns, textOf } from './xml.ts';

/** The attribute names of Entra ID, Okta, Google, and others. */
const names = {
  email: [
    'email',
    'mail',
    'emailaddress',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
  ],
  firstName: [
    'firstname',
    'givenname',
    'given_name',
    'first_name',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
    'urn:oid:2.5.4.42',
  ],
  lastName: [
    'lastname',
    'sn',
    'surname',
    'family_name',
    'last_name',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
    'urn:oid:2.5.4.4',
  ],
};
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Returns the person in a verified assertion. @throws SsoRefusal if there is none */
export function readPerson(assertion: Element): Asserted {
  const claims = readAttributes(assertion);
  const lower = new Map(
    Object.entries(claims).map(([name, values]) => [name.toLowerCase(), values]),
  );
  const first = (wanted: string[]) =>
    wanted.map((name) => lower.get(name)?.[0]?.trim()).find((value) => value) ?? null;
  const [subject] = childrenOf(assertion, ns.assertion, 'Subject');
  const nameIds = subject ? childrenOf(subject, ns.assertion, 'NameID') : [];
  const nameId = textOf(nameIds[0]);
  if (nameIds.length !== 1 || nameId === '')
    throw new SsoRefusal('document', 'There is no NameID.');
  const given = first(names.email) ?? (isEmail(nameId) ? nameId : null);
  const email = given && withLowerCaseAscii(given);
  // A transient name differs at each sign-in, so the address identifies the person.
  const isTransient = attributeOf(nameIds[0], 'Format') === transient;
  return {
    subject: isTransient ? (email ?? nameId) : nameId,
    email,
    emailVerified: true,
    firstName: first(names.firstName),
    lastName: first(names.lastName),
    claims: { NameID: [nameId], ...claims },
  };
}

const isEmail = (value: string) => z.email().safeParse(value).success;

function readAttributes(assertion: Element): Record<string, string[]> {
  const found: Record<string, string[]> = Object.create(null);
  for (const statement of childrenOf(assertion, ns.assertion, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, ns.assertion, 'Attribute')) {
      const name = attributeOf(attribute, 'Name');
      if (name === null) continue;
      const values = childrenOf(attribute, ns.assertion, 'AttributeValue').map(textOf);
      found[name] = [...(found[name] ?? []), ...values];
    }
  }
  return { ...found };
}
