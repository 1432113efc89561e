import { describe, expect, test } from 'vitest';
import { coerceResource } from './coerce.ts';
import { ScimError } from './error.ts';
import { parseFilter } from './filter.ts';
import { groupType } from './group-schema.ts';
import { readGroupPatch, readGroupValues } from './group-values.ts';
import { patchUrn, readOperations } from './patch-request.ts';
import { isWanted, namesIn, projectTo } from './project.ts';
import { enterpriseUrn, userType, userUrn } from './user-schema.ts';
import { readUserValues } from './user-values.ts';

/** Runs what is refused, and returns the refusal's status and type. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ScimError) return `${error.status} ${error.scimType ?? ''}`.trim();
    throw error;
  }
  return 'accepted';
}

describe('the operations of a PATCH', () => {
  const bounds = { operations: 2, changes: 3 };
  const read = (...Operations: unknown[]) =>
    readOperations({ schemas: [patchUrn], Operations }, bounds);

  test('are read with their names in any case, and an empty path as none', () => {
    expect(read({ op: 'Add', path: 'title', value: 'x' }, { OP: 'remove', Path: 'title' })).toEqual(
      [
        { op: 'add', path: 'title', value: 'x' },
        { op: 'remove', path: 'title' },
      ],
    );
    expect(read({ op: 'replace', path: '', value: null })).toEqual([
      { op: 'replace', value: null },
    ]);
    expect(read({ op: 'add', path: null, value: { title: 'x' } })).toEqual([
      { op: 'add', value: { title: 'x' } },
    ]);
  });

  test.each([
    ['400 invalidSyntax', [{ op: 'move', path: 'title', value: 'x' }]],
    ['400 invalidSyntax', [{ op: 1, path: 'title', value: 'x' }]],
    ['400 invalidSyntax', ['add']],
    ['400 invalidPath', [{ op: 'add', path: 7, value: 'x' }]],
    ['400 noTarget', [{ op: 'remove' }]],
    ['400 noTarget', [{ op: 'remove', path: '', value: 'x' }]],
    ['400 invalidValue', [{ op: 'add', path: 'title' }]],
    ['400 invalidValue', [{ op: 'replace' }]],
    ['400 invalidValue', []],
    ['413', Array.from({ length: 3 }, () => ({ op: 'remove', path: 'title' }))],
    ['413', [{ op: 'add', value: { a: 1, b: 1, c: 1, d: 1 } }]],
    ['accepted', [{ op: 'add', value: { a: 1, b: 1, c: 1 } }]],
    ['400 invalidSyntax', [{ op: 'add', value: { title: 1, 'Title ': 2 } }]],
  ])('answer %s for %j', (expected, operations) => {
    expect(refusal(() => read(...operations))).toBe(expected);
  });

  test('need their schema', () => {
    const Operations = [{ op: 'remove', path: 'title' }];
    for (const schemas of [undefined, patchUrn, ['other']])
      expect(refusal(() => readOperations({ schemas, Operations }, bounds))).toBe(
        '400 invalidSyntax',
      );
    expect(refusal(() => readOperations({ schemas: [patchUrn] }, bounds))).toBe('400 invalidValue');
  });
});

describe('the attributes of an answer', () => {
  const person = {
    schemas: [userUrn],
    id: '1',
    userName: 'ada',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: 'a', type: 'work' }],
    [enterpriseUrn]: { department: 'Support', costCenter: '12' },
  };
  const only = (...names: string[]) =>
    projectTo(userType, { only: names.map((name) => name.toLowerCase()) })(person);
  const without = (...names: string[]) =>
    projectTo(userType, { without: names.map((name) => name.toLowerCase()) })(person);
  const always = { schemas: [userUrn], id: '1' };

  test('are all, those that are asked for, or all but those that are not', () => {
    expect(projectTo(userType, {})(person)).toBe(person);
    expect(only('userName')).toEqual({ ...always, userName: 'ada' });
    expect(only(`${userUrn}:userName`)).toEqual({ ...always, userName: 'ada' });
    expect(only('name.givenName', 'emails.type')).toEqual({
      ...always,
      name: { givenName: 'Ada' },
      emails: [{ type: 'work' }],
    });
    expect(only(`${enterpriseUrn}:department`)).toEqual({
      ...always,
      [enterpriseUrn]: { department: 'Support' },
    });
    const { userName: _, ...others } = person;
    expect(without('userName', 'id')).toEqual(others);
    expect(without('name.givenName')).toEqual({ ...person, name: { familyName: 'Lovelace' } });
    expect(without(`${enterpriseUrn}:costCenter`)).toEqual({
      ...person,
      [enterpriseUrn]: { department: 'Support' },
    });
  });

  test('are named in a text with commas or in a list, at most 100 of 200 characters each', () => {
    expect(namesIn(' UserName, name.givenName ,')).toEqual(['username', 'name.givenname']);
    expect(namesIn(['a', 'B'])).toEqual(['a', 'b']);
    for (const nothing of [undefined, '', [], 5]) expect(namesIn(nothing)).toBe(undefined);
    expect(namesIn('x'.repeat(200))).toEqual(['x'.repeat(200)]);
    expect(refusal(() => namesIn('x'.repeat(201)))).toBe('400 invalidValue');
    expect(namesIn(Array.from({ length: 100 }, () => 'x'))).toHaveLength(100);
    expect(refusal(() => namesIn(Array.from({ length: 101 }, () => 'x')))).toBe('400 invalidValue');
  });

  test('that are expensive are read only if an answer has them', () => {
    expect(isWanted({}, 'groups')).toBe(true);
    expect(isWanted({ without: ['groups'] }, 'groups')).toBe(false);
    expect(isWanted({ without: ['name'] }, 'groups')).toBe(true);
    for (const name of ['groups', 'groups.value', `${userUrn}:groups`])
      expect(isWanted({ only: ['name', name] }, 'groups'), name).toBe(true);
    expect(isWanted({ only: ['groupsize'] }, 'groups')).toBe(false);
  });
});

describe('a group', () => {
  const id = '01890000-0000-7000-8000-000000000001';
  const other = '01890000-0000-7000-8000-000000000002';
  const before = { displayName: 'Sales', externalId: 'x' };

  test('has a name, an identifier of the directory, and people', () => {
    expect(
      readGroupValues({ displayName: ' Sales ', externalId: 'x', members: [{ value: id }] }),
    ).toEqual({ ...before, members: [id] });
    expect(readGroupValues({ displayName: 'Sales' })).toEqual({
      displayName: 'Sales',
      externalId: null,
      members: [],
    });
    const named = (length: number) => () => readGroupValues({ displayName: 'x'.repeat(length) });
    expect(refusal(named(250))).toBe('accepted');
    expect(refusal(named(251))).toBe('400 invalidValue');
    expect(refusal(() => readGroupValues({ displayName: ' ' }))).toBe('400 invalidValue');
    expect(readGroupValues({ ...before, Members: [{ Value: id }, {}] }).members).toEqual([id]);
    expect(refusal(() => readGroupValues({ ...before, members: ['no id'] }))).toBe(
      '400 invalidValue',
    );
  });

  test('R31-C4: a group or an operation has 10,000 members at most', () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ value: id }));
    const whole = (count: number) => () => readGroupValues({ ...before, members: many(count) });
    const added = (count: number) => () =>
      readGroupPatch(before, [{ op: 'add', path: 'members', value: many(count) }]);
    for (const read of [whole, added]) {
      expect(refusal(read(10_000))).toBe('accepted');
      expect(refusal(read(10_001))).toBe('400 invalidValue');
    }
  });

  test.each([
    [{ op: 'add', path: 'members', value: [{ value: id }, other] }, 'add', [id, other]],
    [{ op: 'replace', path: 'members', value: { value: id } }, 'replace', [id]],
    [{ op: 'remove', path: 'members', value: [{ value: id }] }, 'remove', [id]],
    [{ op: 'remove', path: 'members' }, 'replace', []],
    [{ op: 'remove', path: `members[value eq "${id}"]` }, 'remove', [id]],
    [
      { op: 'remove', path: `members[value eq "${id}" or value eq "${other}"]` },
      'remove',
      [id, other],
    ],
    [{ op: 'add', value: { members: [{ value: id }] } }, 'add', [id]],
  ] as const)('changes its people by %j', (operation, kind, ids) => {
    expect(readGroupPatch(before, [operation])).toEqual({ ...before, steps: [{ kind, ids }] });
  });

  test('changes its name beside its people', () => {
    const value = { displayName: 'Support', members: [{ value: id }] };
    expect(readGroupPatch(before, [{ op: 'replace', value }])).toEqual({
      displayName: 'Support',
      externalId: 'x',
      steps: [{ kind: 'replace', ids: [id] }],
    });
    expect(
      readGroupPatch(before, [{ op: 'replace', path: 'displayName', value: 'Support' }]),
    ).toEqual({ displayName: 'Support', externalId: 'x', steps: [] });
  });

  test.each([
    ['400 invalidValue', { op: 'replace', path: `members[value eq "${id}"]`, value: other }],
    ['400 invalidFilter', { op: 'remove', path: `members[value ne "${id}"]` }],
    ['400 invalidFilter', { op: 'remove', path: `members[type eq "User"]` }],
    ['400 invalidFilter', { op: 'remove', path: 'members[value pr]' }],
    ['400 invalidFilter', { op: 'remove', path: 'members[value eq "a" and value eq "b"]' }],
    ['400 invalidValue', { op: 'replace', value: 'Support' }],
  ] as const)('answers %s to %j', (expected, operation) => {
    expect(refusal(() => readGroupPatch(before, [operation]))).toBe(expected);
  });
});

describe('a user', () => {
  const read = (resource: object) => readUserValues({ userName: 'ada@example.com', ...resource });

  test('signs in with the primary address, else the one for work, else the first', () => {
    const home = { value: 'h@example.com', type: 'home' };
    const work = { value: 'w@example.com', type: 'Work' };
    const primary = { value: 'p@example.com', primary: true };
    expect(read({ emails: [home, work, primary] }).email).toBe('p@example.com');
    expect(read({ emails: [home, work] }).email).toBe('w@example.com');
    expect(read({ emails: [home] }).email).toBe('h@example.com');
    expect(read({}).email).toBe('ada@example.com');
    expect(refusal(() => readUserValues({ userName: 'ada' }))).toBe('400 invalidValue');
  });

  test('has a first name: its own, its last one, the one shown, or of the address', () => {
    const names = (resource: object) => {
      const { firstName, lastName } = read(resource);
      return [firstName, lastName];
    };
    expect(names({ name: { givenName: ' Ada ', familyName: 'L' } })).toEqual(['Ada', 'L']);
    expect(names({ name: { familyName: 'L' } })).toEqual(['L', '']);
    expect(names({ name: { formatted: 'Ada L' }, displayName: 'A' })).toEqual(['Ada L', '']);
    expect(names({ displayName: 'A' })).toEqual(['A', '']);
    expect(names({})).toEqual(['ada', '']);
    expect(names({ displayName: 'x'.repeat(101) })[0]).toHaveLength(100);
  });
});

describe('a body', () => {
  test('has texts and truths, also where a directory sends numbers and words', () => {
    expect(coerceResource(userType, { userName: 7, active: 'False', title: null })).toEqual({
      userName: '7',
      active: false,
    });
    expect(coerceResource(userType, { ACTIVE: 'TRUE' })).toEqual({ active: true });
    for (const body of [{ active: 'perhaps' }, { active: 1 }, { title: true }, { name: 5 }])
      expect(
        refusal(() => coerceResource(userType, body)),
        JSON.stringify(body),
      ).toBe('400 invalidValue');
  });

  test('has one primary value at most: the last', () => {
    const emails = ['a', 'b'].map((value) => ({ value, primary: 'true' }));
    expect(coerceResource(userType, { emails })).toEqual({
      emails: [
        { value: 'a', primary: false },
        { value: 'b', primary: true },
      ],
    });
    const first = [{ value: 'a', primary: true }, { value: 'b' }];
    expect(coerceResource(userType, { emails: first })).toEqual({ emails: first });
    expect(coerceResource(userType, { emails: 'a@b.example' })).toEqual({
      emails: [{ value: 'a@b.example' }],
    });
  });

  test('has at most 100 values and texts of 2000 characters, and a group any number of people', () => {
    const values = (length: number) => Array.from({ length }, (_, at) => ({ value: `${at}` }));
    expect(refusal(() => coerceResource(userType, { emails: values(100) }))).toBe('accepted');
    expect(refusal(() => coerceResource(userType, { emails: values(101) }))).toBe(
      '400 invalidValue',
    );
    expect(coerceResource(groupType, { members: values(101) }).members).toHaveLength(101);
    expect(refusal(() => coerceResource(userType, { title: 'x'.repeat(2000) }))).toBe('accepted');
    expect(refusal(() => coerceResource(userType, { title: 'x'.repeat(2001) }))).toBe(
      '400 invalidValue',
    );
  });
});

test.each([
  'userName',
  'userName eq',
  'userName is "x"',
  'userName eq x',
  'userName eq "x" or',
  '(userName pr',
  'userName pr)',
  'not userName pr',
  'emails[type pr',
  'a..b pr',
  'a.b.c pr',
  'urn:x: pr',
  'userName eq "x" "y"',
  `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
  `userName eq "${'x'.repeat(4000)}"`,
])('%s is no filter', (text) => {
  expect(refusal(() => parseFilter(text))).toBe('400 invalidFilter');
});

test('words of a filter are read in any case', () => {
  expect(parseFilter('NOT (a EQ TRUE) Or b Eq NULL')).toEqual({
    kind: 'or',
    parts: [
      { kind: 'not', part: { kind: 'compare', path: { name: 'a' }, operator: 'eq', value: true } },
      { kind: 'compare', path: { name: 'b' }, operator: 'eq', value: null },
    ],
  });
  expect(parseFilter('emails[type eq "work"].value eq "x"')).toMatchObject({
    kind: 'some',
    filter: { kind: 'and', parts: [{ value: 'work' }, { path: { name: 'value' }, value: 'x' }] },
  });
});
