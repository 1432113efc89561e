import { setImmediate } from 'node:timers/promises';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { parse, scan } from 'secure-json-parse';
import { DomainError } from '#domain/errors.ts';
import { addressKey } from './address-key.ts';
import { withoutControls } from './json-text.ts';
import { loopTurns } from './loop-turns.ts';

export interface JsonBounds {
  /** Nesting of arrays and objects. */
  depth: number;
  /** Array elements and object members on all levels together. */
  values: number;
  /**
   * Different names of object members. V8 makes a hidden class for each new combination of names: 95,000 names took 300
   * milliseconds to parse, as many members with the same few names take ten.
   */
  names: number;
}

/** Deeper than any body of the API, and more values than the longest list that a contract takes. */
export const ordinaryBounds: JsonBounds = { depth: 32, values: 2_500, names: 500 };

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
    async (request: FastifyRequest, sent: string) => {
      if (sent === '') return undefined;
      const text = withoutControls(sent);
      const names = namesWithin(text, bounds);
      if (names === null) throw tooComplex();
      if (text.length > longText) {
        // Apart from the scan, and from the long texts of others.
        await setImmediate();
        await loopTurns.wait(addressKey(request.ip));
      }
      return parseSafely(text, names);
    },
  );
}

/** Names that a prototype has, and escaped ones, which may stand for these. */
const suspicious = /^"(?:__proto__|constructor)$|\\/;

/**
 * Scans the parsed value, which takes longer than parsing it, only where the text has such a name.
 * @param names of its objects
 */
function parseSafely(text: string, names: ReadonlySet<string>): unknown {
  try {
    if (![...names].some((name) => suspicious.test(name))) return JSON.parse(text);
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
const colon = codeOf(':');
const backslash = codeOf('\\');
const [openArray, closeArray] = [codeOf('['), codeOf(']')];
const [openObject, closeObject] = [codeOf('{'), codeOf('}')];

/**
 * Returns the names of a text, valid JSON or not, each as it is written, with the quote before it; null if the text
 * exceeds a bound. It is one pass that skips strings, because `JSON.parse` and code that walks its result pay for each
 * value, level, and name.
 */
export function namesWithin(
  text: string,
  { depth: mostDepth, values: mostValues, names: mostNames }: JsonBounds,
): ReadonlySet<string> | null {
  let depth = 0;
  let values = 0;
  let begin = 0;
  let end = 0;
  const names = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === quote) {
      begin = at;
      end = at = endOfString(text, at);
    } else if (mark === colon) names.add(text.slice(begin, end));
    else if (mark === comma) values += 1;
    else if (mark === openArray || mark === openObject) {
      depth += 1;
      values += 1;
    } else if (mark === closeArray || mark === closeObject) depth -= 1;
    if (depth > mostDepth || values > mostValues || names.size > mostNames) return null;
  }
  return names;
}

/** Returns whether the text, valid JSON or not, exceeds a bound. */
export const exceeds = (text: string, bounds: JsonBounds): boolean =>
  namesWithin(text, bounds) === null;

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
