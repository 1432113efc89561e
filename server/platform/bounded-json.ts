import { setImmediate } from 'node:timers/promises';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { parse, scan } from 'secure-json-parse';
import { DomainError } from '#domain/errors.ts';
import { addressKey } from './address-key.ts';
import { loopTurns } from './loop-turns.ts';

export interface JsonBounds {
  /** Nesting of arrays and objects. */
  depth: number;
  /** Array elements and object members on all levels together. */
  values: number;
}

/** Deeper than any body of the API, and more values than the longest list that a contract takes. */
export const ordinaryBounds: JsonBounds = { depth: 32, values: 2_500 };

/** Texts longer than this are parsed in steps, between which other requests are handled. */
const longText = 64 * 1024;

/**
 * Parses JSON bodies of these content types within `bounds`. An empty body counts as no body, since
 * some clients always send application/json. `__proto__` and `constructor.prototype` are refused,
 * as Fastify's own parser does.
 */
export function readJson(
  http: FastifyInstance,
  contentTypes: string[] = ['application/json'],
  bounds: JsonBounds = ordinaryBounds,
): void {
  http.removeContentTypeParser(contentTypes);
  http.addContentTypeParser(
    contentTypes,
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      if (text === '') return undefined;
      if (exceeds(text, bounds)) throw tooComplex();
      if (text.length > longText) {
        // Apart from the scan, and from the long texts of others.
        await setImmediate();
        await loopTurns.wait(addressKey(request.ip));
      }
      return parseSafely(text);
    },
  );
}

/**
 * Scans the parsed value rather than the text, as Fastify's parser does: a text may have a million
 * quotes, while members are bounded.
 */
function parseSafely(text: string): unknown {
  try {
    const value: unknown = parse(text, undefined, {
      protoAction: 'ignore',
      constructorAction: 'ignore',
    });
    if (value !== null && typeof value === 'object') scan(value);
    return value;
  } catch {
    throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY();
  }
}

const tooComplex = () =>
  new DomainError(
    'invalid',
    'json_too_complex',
    'This JSON is nested too deeply or holds too many values. Please send less at a time.',
  );

const codeOf = (character: string) => character.charCodeAt(0);
const quote = codeOf('"');
const comma = codeOf(',');
const backslash = codeOf('\\');
const [openArray, closeArray] = [codeOf('['), codeOf(']')];
const [openObject, closeObject] = [codeOf('{'), codeOf('}')];

/**
 * Returns whether the text, valid JSON or not, exceeds either bound. It is one pass without
 * allocation that skips strings, because `JSON.parse` and code that walks its result pay for each
 * value and level.
 */
export function exceeds(
  text: string,
  { depth: mostDepth, values: mostValues }: JsonBounds,
): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === quote) at = endOfString(text, at);
    else if (mark === comma) values += 1;
    else if (mark === openArray || mark === openObject) {
      depth += 1;
      values += 1;
    } else if (mark === closeArray || mark === closeObject) depth -= 1;
    if (depth > mostDepth || values > mostValues) return true;
  }
  return false;
}

/** @returns the index of the quote that ends the string beginning at `start`, or the text's length */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** A quote is escaped when an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}
