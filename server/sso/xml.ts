import { DOMParser } from '@xmldom/xmldom';

export interface XmlBounds {
  characters: number;
  elements: number;
  /** In all; namespace declarations are attributes, too. */
  attributes: number;
}
/**
 * A signed response has about 50 elements, 10 levels deep. One with 500 groups has 550, and three
 * attributes for each group where the provider declares its namespaces there.
 */
const responseBounds: XmlBounds = { characters: 160_000, elements: 800, attributes: 2_000 };
const deepest = 32;
/** In one element. */
const mostAttributes = 100;

export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlError';
  }
}

/**
 * Parses XML from outside: no document types, so that no entity grows or reads a file, and no comments
 * or instructions, which split a text in two. What is too deep or holds too many elements is refused
 * before anything is built of it.
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

/** Hears of each element as the parser reads it, and builds nothing. */
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

  /** The parser stops at once; what it then says of the document is not what is wrong with it. */
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

/** Everywhere below an element: each call walks all of it. */
export const elementsOf = (of: Element | Document, namespace: string, name: string): Element[] =>
  Array.from(of.getElementsByTagNameNS(namespace, name));

/** Looks at the children alone, however much is below them. */
export function childrenOf(of: Element, namespace: string, name: string): Element[] {
  return Array.from(of.childNodes).filter(
    (node): node is Element =>
      isElement(node) && node.namespaceURI === namespace && node.localName === name,
  );
}

const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;

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
