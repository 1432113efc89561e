import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScimError } from './error.ts';
import { type Filter, parseFilter } from './filter.ts';

const name = fc.constantFrom('userName', 'displayName', 'emails', 'externalId', 'x-y_z$1');
const path = fc.record(
  {
    schema: fc.constantFrom('urn:ietf:params:scim:schemas:core:2.0:User'),
    name,
    sub: fc.constantFrom('value', 'familyName'),
  },
  { requiredKeys: ['name'] },
);
const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le');
const number = fc.oneof(fc.integer(), fc.constantFrom(0.5, -2.25, 1e21, 1e-7));
const value = fc.oneof(fc.string({ unit: 'binary' }), number, fc.boolean(), fc.constant(null));

const { filter } = fc.letrec<{ filter: Filter; join: Filter; single: Filter }>((tie) => ({
  filter: fc.oneof({ depthSize: 'small' }, tie('single'), tie('join')),
  // Parts of the same kind are read as one list, so they are not made within each other.
  join: fc
    .record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    })
    .filter(({ kind, parts }) => parts.every((part) => part.kind !== kind)),
  single: fc.oneof(
    fc.record({ kind: fc.constant('present' as const), path }),
    fc.record({ kind: fc.constant('compare' as const), path, operator, value }),
    fc.record({ kind: fc.constant('not' as const), part: tie('filter') }),
    fc.record({ kind: fc.constant('some' as const), path, filter: tie('filter') }),
  ) as fc.Arbitrary<Filter>,
}));

type Path = Extract<Filter, { path: unknown }>['path'];
const textOfPath = ({ schema, name: own, sub }: Path) =>
  `${schema ? `${schema}:` : ''}${own}${sub ? `.${sub}` : ''}`;

/** Writes a filter with as few parentheses as its reading needs. */
function textOf(given: Filter): string {
  switch (given.kind) {
    case 'present':
      return `${textOfPath(given.path)} pr`;
    case 'compare':
      return `${textOfPath(given.path)} ${given.operator} ${JSON.stringify(given.value)}`;
    case 'not':
      return `not (${textOf(given.part)})`;
    case 'some':
      return `${textOfPath(given.path)}[${textOf(given.filter)}]`;
    case 'and':
      return given.parts
        .map((part) => (part.kind === 'or' ? `(${textOf(part)})` : textOf(part)))
        .join(' and ');
    case 'or':
      return given.parts.map(textOf).join(' or ');
  }
}

test('a filter that is written out is read as the same filter', () => {
  fc.assert(
    fc.property(filter, (given) => {
      const text = textOf(given);
      fc.pre(text.length <= 4_000 && (text.match(/[\w"]+/g) ?? []).length < 200);
      expect(parseFilter(text)).toEqual(given);
    }),
    { numRuns: 500 },
  );
});

test('any text is read as a filter, or refused with invalidFilter', () => {
  const words = fc.constantFrom(
    'and',
    'or',
    'not',
    '(',
    ')',
    '[',
    ']',
    '"a"',
    'eq',
    'pr',
    'x.y',
    '7',
  );
  const noise = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(noise, (text) => {
      try {
        parseFilter(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ScimError);
        expect(error).toMatchObject({ status: 400, scimType: 'invalidFilter' });
      }
    }),
    { numRuns: 1_000 },
  );
});
