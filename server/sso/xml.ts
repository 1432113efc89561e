import { DOMParser } from '@xmldom/xmldom';

const mostCharacters = 1_000_000;

export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlError';
  }
}

/**
 * Parses XML from outside: no document types, so that no entity grows or reads a file, and no comments
 * or instructions, which split a text in two.
 * @throws XmlError
 */
export function parseXml(xml: string): Element {
  if (xml.length > mostCharacters) throw new XmlError('The document is too large.');
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new XmlError('A document type is not allowed.');
  if (xml.includes('<!--')) throw new XmlError('Comments are not allowed.');
  if (/<\?(?!xml\s)/i.test(xml)) throw new XmlError('Instructions are not allowed.');
  const fail = (message: unknown) => {
    throw new XmlError(`The document is not XML: ${String(message).slice(0, 200)}`);
  };
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  const root = new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml').documentElement;
  if (!root) throw new XmlError('The document is empty.');
  return root;
}

export const elementsOf = (of: Element | Document, namespace: string, name: string): Element[] =>
  Array.from(of.getElementsByTagNameNS(namespace, name));

export function childrenOf(of: Element, namespace: string, name: string): Element[] {
  return elementsOf(of, namespace, name).filter(({ parentNode }) => parentNode === of);
}

export const textOf = (of: Element | undefined): string => of?.textContent?.trim() ?? '';

/** Null where it is not there, as for an empty one. */
export const attributeOf = (of: Element | undefined, name: string): string | null =>
  of?.getAttribute(name) || null;

export const ns = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;
