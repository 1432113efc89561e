import { createHash, X509Certificate } from 'node:crypto';
import { invalid } from '#domain/errors.ts';
import {
  attributeOf,
  childrenOf,
  elementsOf,
  ns,
  parseXml,
  textOf,
  type XmlBounds,
  XmlError,
} from './xml.ts';

/** The parts of a SAML identity provider's metadata that Rapport uses. */
export interface SamlProvider {
  entityId: string;
  ssoUrl: string;
  /** Base64 of the DER, without line breaks. */
  certificates: string[];
}

/** A provider's metadata has about 100 elements; a federation's has thousands, for many providers. */
const bounds: XmlBounds = { characters: 300_000, elements: 2_000, attributes: 4_000 };
/** A provider has two during a key change. Each one makes a response cost more to verify. */
const mostCertificates = 5;
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** @throws DomainError 400 for anything but the metadata of one identity provider */
export function readMetadata(xml: string, path: 'metadata' | 'metadataUrl'): SamlProvider {
  const refuse = (why: string) =>
    invalid('bad_metadata', `We can’t use this metadata. ${why}`, path);
  try {
    const root = parseXml(xml, bounds);
    const described = [root, ...elementsOf(root, ns.metadata, 'EntityDescriptor')].filter(
      (element) => childrenOf(element, ns.metadata, 'IDPSSODescriptor').length > 0,
    );
    const [entity] = described;
    if (!entity || new Set(described).size > 1)
      throw refuse('It must describe one identity provider.');
    const [provider] = childrenOf(entity, ns.metadata, 'IDPSSODescriptor');
    if (!provider) throw refuse('It must describe one identity provider.');
    const service = childrenOf(provider, ns.metadata, 'SingleSignOnService').find(
      (one) => attributeOf(one, 'Binding') === redirect,
    );
    const certificates = childrenOf(provider, ns.metadata, 'KeyDescriptor')
      .filter((key) => (attributeOf(key, 'use') ?? 'signing') === 'signing')
      .flatMap((key) => elementsOf(key, ns.signature, 'X509Certificate'))
      .map(textOf);
    const entityId = attributeOf(entity, 'entityID');
    const ssoUrl = attributeOf(service, 'Location');
    if (!entityId) throw refuse('It has no entity ID.');
    if (!ssoUrl || !/^https?:\/\//i.test(ssoUrl))
      throw refuse('It names no sign-in address (HTTP-Redirect).');
    if (certificates.length === 0) throw refuse('It has no signing certificate.');
    return { entityId, ssoUrl, certificates: readCertificates(certificates, path) };
  } catch (error) {
    if (error instanceof XmlError) {
      throw refuse(`${error.message} Give that of one identity provider alone.`);
    }
    throw error;
  }
}

/** @returns the distinct certificates. @throws DomainError 400, also for more than five */
export function readCertificates(given: string[], path: string): string[] {
  const texts = new Set(given.map(withoutFrame));
  if (texts.size > mostCertificates) {
    throw invalid(
      'too_many_certificates',
      'That’s more than five certificates. Enter only those your identity provider signs with.',
      path,
    );
  }
  return [...new Set([...texts].map((one) => readCertificate(one, path)))];
}

const withoutFrame = (pem: string) =>
  pem.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');

/** @throws DomainError 400 */
function readCertificate(base64: string, path: string): string {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).raw.toString('base64');
  } catch {
    throw invalid('bad_certificate', 'This isn’t an X.509 certificate (PEM or base64).', path);
  }
}

export function describeCertificate(base64: string) {
  const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
  return {
    subject: certificate.subject.replaceAll('\n', ', '),
    fingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
    validUntil: new Date(certificate.validTo).toISOString(),
  };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Returns this server's metadata, for the identity provider's admin. */
export const ourMetadata = (entityId: string, answerUrl: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="${ns.metadata}" entityID="${escaped(entityId)}">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${ns.protocol}">
    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>
    <AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(answerUrl)}"/>
  </SPSSODescriptor>
</EntityDescriptor>
`;
