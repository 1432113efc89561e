import { DOMParser } from '@xmldom/xmldom';

export interface XmlBounds {
  characters: number;
  elements: number;
  /** In total; namespace declarations count as attributes. */
  attributes: number;
}
/**
 * A signed response has about 50 elements, 10 levels deep. One with 500 groups has 550 elements, and three
 * attributes for each group if the provider declares its namespaces there.
 */
const responseBounds: XmlBounds = { characters: 160_000, elements: 800, attributes: 2_000 };
const deepest = 32;
/** Per element. */
const mostAttributes = 100;

export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlError';
  }
}

/**
 * Parses untrusted XML. Refuses document types, so that no entity expands or reads a file. Refuses comments
 * and processing instructions, because they split text nodes. Refuses documents that are too deep or too
 * large before a DOM is built.
 * @throws XmlError
 */
export function parseXml(xml: string, bounds = responseBounds): Element {
  if (xml.length > bounds.characters) throw new XmlError('The document is too large.');
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new XmlError('A document type is not allowed.');
  if (xml.includes('<!--')) throw new XmlError('Comments are not allowed.');
  if (/<\?(?!xml\s)/i.test(xml)) throw new XmlError('Instructions are not allowed.');
  const fail = (message: unknown) => {
    throw new XmlError(`The document is not XML: ${String(message).slice(0, 200)}`);
  };
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  refuseLarge(xml, errorHandler, bounds);
  const root = new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml').documentElement;
  if (!root) throw new XmlError('The document is empty.');
  return root;
}

/** Counts elements and attributes as the parser reads them, and builds nothing. */
class Counter {
  refusal: XmlError | null = null;
  readonly #bounds: XmlBounds;
  #elements = 0;
  #attributes = 0;
  #depth = 0;

  constructor(bounds: XmlBounds) {
    this.#bounds = bounds;
  }

  startElement(
    _namespace: unknown,
    _local: unknown,
    _name: unknown,
    attributes: { length: number },
  ) {
    this.#elements += 1;
    this.#attributes += attributes.length;
    this.#depth += 1;
    if (this.#depth > deepest) this.#refuse('The document is nested too deeply.');
    if (this.#elements > this.#bounds.elements) this.#refuse('The document has too many elements.');
    if (attributes.length > mostAttributes) this.#refuse('An element has too many attributes.');
    if (this.#attributes > this.#bounds.attributes) {
      this.#refuse('The document has too many attributes.');
    }
  }
  endElement() {
    this.#depth -= 1;
  }
  setDocumentLocator() {}
  startDocument() {}
  endDocument() {}
  startPrefixMapping() {}
  endPrefixMapping() {}
  characters() {}
  startCDATA() {}
  endCDATA() {}
  comment() {}
  processingInstruction() {}
  startDTD() {}
  endDTD() {}

  /** Stops the parser. The parser then reports another error, so the actual one is kept. */
  #refuse(why: string): never {
    this.refusal = new XmlError(why);
    throw this.refusal;
  }
}

/** @throws XmlError */
function refuseLarge(xml: string, errorHandler: object, bounds: XmlBounds): void {
  const domBuilder = new Counter(bounds);
  try {
    new DOMParser({ errorHandler, ...{ domBuilder } }).parseFromString(xml, 'text/xml');
  } catch (error) {
    throw domBuilder.refusal ?? error;
  }
}

/** Returns the matching descendants. Each call walks the whole subtree. */
export const elementsOf = (of: Element | Document, namespace: string, name: string): Element[] =>
  Array.from(of.getElementsByTagNameNS(namespace, name));

/** Returns the matching children, without walking their subtrees. */
export function childrenOf(of: Element, namespace: string, name: string): Element[] {
  return Array.from(of.childNodes).filter(
    (node): node is Element =>
      isElement(node) && node.namespaceURI === namespace && node.localName === name,
  );
}

const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;

export const textOf = (of: Element | undefined): string => of?.textContent?.trim() ?? '';

/** Returns null for a missing or empty attribute. */
export const attributeOf = (of: Element | undefined, name: string): string | null =>
  of?.getAttribute(name) || null;

export const ns = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;
