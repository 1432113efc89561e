import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { type Asserted, type Checks, SsoRefusal } from './asserted.ts';
import type { SamlProvider } from './saml-metadata.ts';
import { readPerson } from './saml-person.ts';
import { attributeOf, childrenOf, elementsOf, ns, parseXml, textOf, XmlError } from './xml.ts';

export interface SamlSettings extends SamlProvider {
  /** This server's entity ID. */
  ourEntityId: string;
  answerUrl: string;
}

export interface SamlAnswer {
  asserted: Asserted;
  assertionId: string;
  /** Null for an unsolicited response, which the identity provider initiated. */
  inResponseTo: string | null;
  /** From then on the assertion is expired and cannot be replayed. */
  expiresAt: Date;
}

const skewMs = 60_000;
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const algorithms = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

export const samlOf = (settings: SamlSettings, requestId = '_'): SAML =>
  new SAML({
    idpCert: [...new Set(settings.certificates)],
    idpIssuer: settings.entityId,
    entryPoint: settings.ssoUrl,
    issuer: settings.ourEntityId,
    audience: settings.ourEntityId,
    callbackUrl: settings.answerUrl,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    validateInResponseTo: ValidateInResponseTo.never,
    generateUniqueId: () => requestId,
  });

/**
 * Reads a SAML response. The library checks the signature, the audience, and the times; the other checks
 * happen here, before and after. The person is read only from the signed bytes. This takes up to a second,
 * because the library canonicalizes the document for each signature and certificate: the server calls
 * `readInTurn` instead.
 * @param given base64, as the browser posts it
 * @throws SsoRefusal
 */
export async function readResponse(
  settings: SamlSettings,
  given: string,
  checks: Checks,
): Promise<SamlAnswer> {
  const xml = Buffer.from(given, 'base64').toString('utf8');
  const response = readDocument(xml, checks);
  checkEnvelope(response, settings, checks);
  const signed = await verify(settings, given, checks);
  const assertion = parse(signed);
  const about = checkAssertion(assertion, settings, checks);
  return { ...about, asserted: readPerson(assertion) };
}

function parse(xml: string): Element {
  try {
    return parseXml(xml);
  } catch (error) {
    if (error instanceof XmlError) throw new SsoRefusal('document', error.message);
    throw error;
  }
}

/**
 * Requires one response with one assertion with one signature, each in its place. Signature wrapping, which
 * puts content around a signed assertion or moves it elsewhere, has another structure.
 */
function readDocument(xml: string, checks: Checks): Element {
  const root = parse(xml);
  const isResponse = root.namespaceURI === ns.protocol && root.localName === 'Response';
  checks.require('document', isResponse, 'The document is no SAML response.');
  const encrypted = elementsOf(root, '*', 'EncryptedAssertion').length;
  checks.require('document', encrypted === 0, 'Switch the encryption of assertions off.');
  checkStatus(root, checks);
  const assertions = elementsOf(root, '*', 'Assertion');
  const [assertion] = childrenOf(root, ns.assertion, 'Assertion');
  const isOne = assertions.length === 1 && assertions[0] === assertion;
  if (!assertion || !isOne)
    throw new SsoRefusal('document', 'There must be exactly one assertion.');
  const signatures = elementsOf(root, '*', 'Signature');
  const isPlaced = signatures.every(
    ({ parentNode }) => parentNode === root || parentNode === assertion,
  );
  const own = childrenOf(assertion, ns.signature, 'Signature');
  checks.require('signature', own.length === 1, 'The assertion must be signed itself.');
  checks.require('document', isPlaced && signatures.length <= 2, 'A signature is out of place.');
  const ids = elementsOf(root, '*', '*')
    .concat(root)
    .flatMap((one) => attributeOf(one, 'ID') ?? []);
  checks.require('document', new Set(ids).size === ids.length, 'An ID is there twice.');
  for (const name of ['SignatureMethod', 'DigestMethod']) {
    for (const method of elementsOf(root, ns.signature, name)) {
      const used = attributeOf(method, 'Algorithm') ?? '';
      checks.require(
        'signature',
        algorithms.has(used),
        `Sign with RSA and SHA-256, not with ${used}.`,
      );
    }
  }
  return root;
}

function checkStatus(response: Element, checks: Checks): void {
  const [status] = childrenOf(response, ns.protocol, 'Status');
  const codes = status ? childrenOf(status, ns.protocol, 'StatusCode') : [];
  const said = status ? childrenOf(status, ns.protocol, 'StatusMessage').map(textOf) : [];
  const isSuccess = codes.length === 1 && attributeOf(codes[0], 'Value') === success;
  const value = attributeOf(codes[0], 'Value') ?? 'no status';
  checks.require('status', isSuccess, [value, ...said].join(': '));
}

/** Checks the attributes of the response. They may be unsigned, so the assertion must repeat them. */
function checkEnvelope(response: Element, settings: SamlSettings, checks: Checks): void {
  checkIssuer(response, settings, checks, false);
  const destination = attributeOf(response, 'Destination');
  const isOurs = destination === null || destination === settings.answerUrl;
  checks.require('destination', isOurs, `It is meant for ${destination}.`);
}

function checkIssuer(of: Element, { entityId }: SamlSettings, checks: Checks, isNeeded: boolean) {
  const issuers = childrenOf(of, ns.assertion, 'Issuer').map(textOf);
  const isKnown = issuers.length <= 1 && issuers.every((issuer) => issuer === entityId);
  const isThere = issuers.length === 1 || !isNeeded;
  checks.require(
    'issuer',
    isKnown && isThere,
    `It was issued by ${issuers.join(', ') || 'nobody'}.`,
  );
}

/** @returns the signed bytes of the assertion */
async function verify(settings: SamlSettings, given: string, checks: Checks): Promise<string> {
  try {
    const { profile } = await samlOf(settings).validatePostResponseAsync({ SAMLResponse: given });
    const signed = profile?.getAssertionXml?.();
    if (!signed) throw new SsoRefusal('signature', 'There was nothing signed.');
    checks.passed('signature');
    return signed;
  } catch (error) {
    if (error instanceof SsoRefusal) throw error;
    const message = error instanceof Error ? error.message : 'It could not be read.';
    const check = /audience/i.test(message)
      ? 'audience'
      : /expired|not yet|subject confirmation|too old|NotOnOrAfter|NotBefore/i.test(message)
        ? 'time'
        : 'signature';
    throw new SsoRefusal(check, message);
  }
}

function checkAssertion(assertion: Element, settings: SamlSettings, checks: Checks) {
  checkIssuer(assertion, settings, checks, true);
  const [conditions, ...more] = childrenOf(assertion, ns.assertion, 'Conditions');
  const isOnce = conditions !== undefined && more.length === 0;
  checks.require('time', isOnce, 'There must be one element Conditions.');
  checkTimes(conditions, checks);
  const restrictions = conditions
    ? childrenOf(conditions, ns.assertion, 'AudienceRestriction')
    : [];
  const audiences = restrictions.map((one) =>
    childrenOf(one, ns.assertion, 'Audience').map(textOf),
  );
  const isForUs =
    audiences.length > 0 && audiences.every((names) => names.includes(settings.ourEntityId));
  checks.require(
    'audience',
    isForUs,
    `It is meant for ${audiences.flat().join(', ') || 'anybody'}.`,
  );
  const confirmation = readConfirmation(assertion, settings, checks);
  const [statement] = childrenOf(assertion, ns.assertion, 'AuthnStatement');
  checks.require(
    'time',
    isAhead(attributeOf(statement, 'SessionNotOnOrAfter')),
    'The session is over.',
  );
  const assertionId = attributeOf(assertion, 'ID') ?? '';
  checks.require('document', assertionId !== '', 'The assertion has no ID.');
  return { assertionId, ...confirmation };
}

function readConfirmation(assertion: Element, { answerUrl }: SamlSettings, checks: Checks) {
  const [subject, ...more] = childrenOf(assertion, ns.assertion, 'Subject');
  if (!subject || more.length > 0) throw new SsoRefusal('document', 'There must be one subject.');
  const [data] = childrenOf(subject, ns.assertion, 'SubjectConfirmation')
    .filter((one) => attributeOf(one, 'Method') === bearer)
    .flatMap((one) => childrenOf(one, ns.assertion, 'SubjectConfirmationData'));
  const recipient = attributeOf(data, 'Recipient');
  checks.require('recipient', recipient === answerUrl, `It is meant for ${recipient ?? 'nobody'}.`);
  const until = attributeOf(data, 'NotOnOrAfter');
  checks.require('time', until !== null, 'It has no end.');
  checkTimes(data, checks);
  return {
    inResponseTo: attributeOf(data, 'InResponseTo'),
    expiresAt: new Date(Date.parse(until ?? '') + 2 * skewMs),
  };
}

function checkTimes(of: Element | undefined, checks: Checks): void {
  const from = attributeOf(of, 'NotBefore');
  const begins = from === null || Date.parse(from) <= Date.now() + skewMs;
  checks.require('time', begins, `It is valid from ${from} only.`);
  const until = attributeOf(of, 'NotOnOrAfter');
  checks.require('time', isAhead(until), `It was valid until ${until}.`);
}

/** An unparsable time counts as past. */
const isAhead = (time: string | null) => time === null || Date.parse(time) > Date.now() - skewMs;
