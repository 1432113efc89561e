import { SignedXml } from 'xml-crypto';
import { providerKeys } from './saml-keys.ts';

export interface ResponseParts {
  issuer: string;
  answerUrl: string;
  audience: string;
  inResponseTo: string | null;
  email: string;
  nameId: string;
  attributes: Record<string, string[]>;
  destination: string;
  recipient: string;
  status: string;
  responseIssuer: string;
  notBefore: Date;
  notOnOrAfter: Date;
  assertionId: string;
}

const minutes = (n: number) => new Date(Date.now() + n * 60_000);
let made = 0;

/** Returns an unsigned response of an identity provider; `given` contains the deviations. */
export function responseXml(
  base: Pick<ResponseParts, 'issuer' | 'answerUrl' | 'audience' | 'inResponseTo' | 'email'>,
  given: Partial<ResponseParts> = {},
): string {
  made += 1;
  const parts: ResponseParts = {
    ...base,
    nameId: base.email,
    attributes: {},
    destination: base.answerUrl,
    recipient: base.answerUrl,
    status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    responseIssuer: base.issuer,
    notBefore: minutes(-1),
    notOnOrAfter: minutes(5),
    assertionId: `_assertion-${made}-${Date.now()}`,
    ...given,
  };
  const answers = parts.inResponseTo === null ? '' : ` InResponseTo="${parts.inResponseTo}"`;
  const now = new Date().toISOString();
  const statement = Object.entries(parts.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values
        .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response-${made}" Version="2.0" IssueInstant="${now}" Destination="${parts.destination}"${answers}><saml:Issuer>${parts.responseIssuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${parts.status}"/></samlp:Status><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${parts.assertionId}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${parts.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${parts.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${answers} Recipient="${parts.recipient}" NotOnOrAfter="${parts.notOnOrAfter.toISOString()}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${parts.notBefore.toISOString()}" NotOnOrAfter="${parts.notOnOrAfter.toISOString()}"><saml:AudienceRestriction><saml:Audience>${parts.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${now}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${statement.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`;
}

export interface SignOptions {
  key?: string;
  /** The signed element; by default the assertion. */
  element?: 'Assertion' | 'Response';
  algorithm?: 'sha256' | 'sha1';
}

/** Signs one element as identity providers do: enveloped, after its issuer. */
export function signXml(xml: string, options: SignOptions = {}): string {
  const { key = providerKeys.key, element = 'Assertion', algorithm = 'sha256' } = options;
  const at = `//*[local-name(.)='${element}']`;
  const isNew = algorithm === 'sha256';
  const signer = new SignedXml({
    privateKey: key,
    signatureAlgorithm: isNew
      ? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
      : 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signer.addReference({
    xpath: at,
    digestAlgorithm: isNew
      ? 'http://www.w3.org/2001/04/xmlenc#sha256'
      : 'http://www.w3.org/2000/09/xmldsig#sha1',
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  });
  signer.computeSignature(xml, {
    location: { reference: `${at}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}

export const base64 = (xml: string) => Buffer.from(xml).toString('base64');
