import { badFilter } from './error.ts';
import type { AttributePath } from './schema.ts';

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof operators)[number];
export type FilterValue = string | number | boolean | null;

/** A filter of RFC 7644, 3.4.2.2, as a tree. */
export type Filter =
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'compare'; path: AttributePath; operator: Operator; value: FilterValue }
  | { kind: 'present'; path: AttributePath }
  /** `emails[…]`: a value of the attribute matches the inner filter. */
  | { kind: 'some'; path: AttributePath; filter: Filter };

const longest = 4_000;
const mostTokens = 400;
const deepest = 20;
const tokenOf =
  /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w:])|(\.?[A-Za-z$_][\w$:.-]*))/y;

interface Token {
  kind: 'mark' | 'string' | 'number' | 'word';
  text: string;
}

/** @throws ScimError 400 invalidFilter */
export function parseFilter(text: string): Filter {
  const reader = new Reader(tokensOf(text));
  const filter = reader.either(0);
  reader.end();
  return filter;
}

function tokensOf(text: string): Token[] {
  if (text.length > longest) throw badFilter(`A filter may have ${longest} characters at most.`);
  const tokens: Token[] = [];
  const source = text.trimEnd();
  tokenOf.lastIndex = 0;
  while (tokenOf.lastIndex < source.length) {
    const at = tokenOf.lastIndex;
    const found = tokenOf.exec(source);
    if (!found)
      throw badFilter(`The filter cannot be read from “${source.slice(at, at + 20)}” on.`);
    const [, mark, string, number, word] = found;
    if (mark) tokens.push({ kind: 'mark', text: mark });
    else if (string) tokens.push({ kind: 'string', text: string });
    else if (number) tokens.push({ kind: 'number', text: number });
    else tokens.push({ kind: 'word', text: word ?? '' });
    if (tokens.length > mostTokens)
      throw badFilter('This filter is too long. Ask for less at once.');
  }
  return tokens;
}

/** Recursive descent: `or` binds loosest, then `and`, then `not`. */
class Reader {
  readonly #tokens: Token[];
  #at = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  either(depth: number): Filter {
    return this.#joined('or', () => this.#joined('and', () => this.#single(depth)));
  }

  end(): void {
    const left = this.#tokens[this.#at];
    if (left) throw badFilter(`“${left.text}” was not expected in the filter.`);
  }

  #joined(kind: 'and' | 'or', read: () => Filter): Filter {
    const first = read();
    const parts = [first];
    while (this.#word(kind)) parts.push(read());
    return parts.length === 1 ? first : { kind, parts };
  }

  #single(depth: number): Filter {
    if (depth > deepest) throw badFilter('This filter is nested too deeply.');
    if (this.#word('not')) {
      this.#expect('(');
      return { kind: 'not', part: this.#closed(')', depth) };
    }
    if (this.#mark('(')) return this.#closed(')', depth);
    const path = pathOf(this.#take('word').text);
    if (this.#mark('[')) return this.#values(path, depth);
    return this.#comparison(path);
  }

  /** `emails[type eq "work"]`; Entra ID also sends `emails[type eq "work"].value eq "…"`. */
  #values(path: AttributePath, depth: number): Filter {
    const filter = this.#closed(']', depth);
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'word' || !next.text.startsWith('.')) return { kind: 'some', path, filter };
    this.#at += 1;
    const inner = this.#comparison({ name: next.text.slice(1) });
    return { kind: 'some', path, filter: { kind: 'and', parts: [filter, inner] } };
  }

  #closed(mark: ')' | ']', depth: number): Filter {
    const filter = this.either(depth + 1);
    this.#expect(mark);
    return filter;
  }

  #comparison(path: AttributePath): Filter {
    const said = this.#take('word').text.toLowerCase();
    if (said === 'pr') return { kind: 'present', path };
    const operator = operators.find((each) => each === said);
    if (!operator) throw badFilter(`“${said}” is no operator of a filter.`);
    return { kind: 'compare', path, operator, value: this.#value() };
  }

  #value(): FilterValue {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token?.kind === 'string') return unquoted(token.text);
    if (token?.kind === 'number') return Number(token.text);
    const word = token?.kind === 'word' ? token.text.toLowerCase() : '';
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    throw badFilter('The filter lacks a value: texts stand in double quotes.');
  }

  #word(word: string): boolean {
    const token = this.#tokens[this.#at];
    const isNext = token?.kind === 'word' && token.text.toLowerCase() === word;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #mark(mark: string): boolean {
    const token = this.#tokens[this.#at];
    const isNext = token?.kind === 'mark' && token.text === mark;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #expect(mark: string): void {
    if (!this.#mark(mark)) throw badFilter(`“${mark}” is missing in the filter.`);
  }

  #take(kind: Token['kind']): Token {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind) throw badFilter('The filter ends too early, or lacks an attribute.');
    this.#at += 1;
    return token;
  }
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    throw badFilter(`${text.slice(0, 40)} is no text in double quotes.`);
  }
}

/**
 * Parses `userName`, `name.familyName`, or `urn:…:User:userName`.
 * @throws ScimError 400 invalidFilter
 */
export function pathOf(text: string): AttributePath {
  const colon = text.lastIndexOf(':');
  const [name = '', sub, ...more] = text.slice(colon + 1).split('.');
  if (name === '' || sub === '' || more.length > 0) throw badFilter(`“${text}” is no attribute.`);
  const schema = colon < 0 ? {} : { schema: text.slice(0, colon) };
  return { ...schema, name, ...(sub === undefined ? {} : { sub }) };
}
