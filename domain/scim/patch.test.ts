import { expect, test } from 'vitest';
import { ScimError } from './error.ts';
import { groupType } from './group-schema.ts';
import type { JsonObject } from './json.ts';
import { patched } from './patch.ts';
import type { Operation } from './patch-request.ts';
import { enterpriseUrn, userType } from './user-schema.ts';

const work = { value: 'ada@example.com', type: 'work', primary: true };
const home = { value: 'ada@home.example', type: 'home' };
const before = {
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [work, home],
  [enterpriseUrn]: { department: 'Support', costCenter: '12' },
};

/** The resource after the operations, as JSON: what is removed is absent. */
const after = (...operations: Operation[]): JsonObject =>
  JSON.parse(JSON.stringify(patched(userType, before, operations)));

/** The status and type with which the operations are refused. */
function refused(...operations: Operation[]): Partial<ScimError> {
  try {
    after(...operations);
  } catch (error) {
    if (error instanceof ScimError) return { status: error.status, scimType: error.scimType };
    throw error;
  }
  throw new Error('Not refused');
}

test('the resource that is patched stays as it was', () => {
  const copy = JSON.stringify(before);
  after(
    { op: 'replace', path: 'name.givenName', value: 'Grace' },
    { op: 'remove', path: 'emails' },
  );
  expect(JSON.stringify(before)).toBe(copy);
});

test('a single attribute is added, replaced and removed', () => {
  expect(after({ op: 'add', path: 'title', value: 'Countess' }).title).toBe('Countess');
  expect(after({ op: 'replace', path: 'userName', value: 'grace' }).userName).toBe('grace');
  expect(after({ op: 'remove', path: 'userName' })).not.toHaveProperty('userName');
});

test('parts of a complex attribute that are not named stay', () => {
  expect(after({ op: 'replace', path: 'name', value: { givenName: 'Grace' } }).name).toEqual({
    givenName: 'Grace',
    familyName: 'Lovelace',
  });
  expect(after({ op: 'add', path: 'name.middleName', value: 'K' }).name).toEqual({
    ...before.name,
    middleName: 'K',
  });
  expect(after({ op: 'remove', path: 'name.givenName' }).name).toEqual({ familyName: 'Lovelace' });
});

test('without a path, each name of the value is a path; unknown and read-only names are ignored', () => {
  const value = {
    title: 'Countess',
    'name.givenName': 'Grace',
    id: 'another',
    groups: [{ value: 'g' }],
    shoeSize: 36,
  };
  expect(after({ op: 'replace', value })).toEqual({
    ...before,
    title: 'Countess',
    name: { ...before.name, givenName: 'Grace' },
  });
  expect(refused({ op: 'replace', value: 'Grace' })).toEqual({
    status: 400,
    scimType: 'invalidValue',
  });
});

test('a read-only attribute that a path names is refused', () => {
  for (const path of ['id', 'groups', 'meta.created'])
    expect(refused({ op: 'replace', path, value: 'x' }), path).toEqual({
      status: 400,
      scimType: 'mutability',
    });
});

test('an extension is extended by add, replaced by replace, and removed', () => {
  const value = { department: 'Sales' };
  const path = enterpriseUrn;
  expect(after({ op: 'add', path, value })[path]).toEqual({
    department: 'Sales',
    costCenter: '12',
  });
  expect(after({ op: 'replace', path, value })[path]).toEqual(value);
  expect(after({ op: 'remove', path })).not.toHaveProperty([path]);
  expect(refused({ op: 'add', path, value: 'Sales' }).scimType).toBe('invalidValue');
  const department = `${enterpriseUrn}:department`;
  expect(after({ op: 'replace', path: department, value: 'Sales' })[path]).toEqual({
    department: 'Sales',
    costCenter: '12',
  });
});

test('values are added without duplicates, in any order of their members', () => {
  const same = { type: 'home', value: 'ada@home.example' };
  expect(after({ op: 'add', path: 'emails', value: same }).emails).toEqual([work, home]);
  const other = { value: 'x@example.com', type: 'other' };
  expect(after({ op: 'add', path: 'emails', value: [same, other] }).emails).toEqual([
    work,
    home,
    other,
  ]);
  expect(after({ op: 'add', path: 'phoneNumbers', value: { value: '1' } }).phoneNumbers).toEqual([
    { value: '1' },
  ]);
});

test('a new primary value takes that from the others, and only then', () => {
  const primary = { value: 'new@example.com', primary: 'True' };
  expect(after({ op: 'add', path: 'emails', value: [primary] }).emails).toEqual([
    { ...work, primary: false },
    home,
    primary,
  ]);
  const second = { value: 'new@example.com', primary: false };
  expect(after({ op: 'add', path: 'emails', value: [second] }).emails).toEqual([
    work,
    home,
    second,
  ]);
  const path = 'emails[type eq "home"].primary';
  expect(after({ op: 'replace', path, value: true }).emails).toEqual([
    { ...work, primary: false },
    { ...home, primary: true },
  ]);
});

test('replace sets the whole list, and null or an empty list empties it', () => {
  expect(after({ op: 'replace', path: 'emails', value: [home] }).emails).toEqual([home]);
  expect(after({ op: 'replace', path: 'emails', value: home }).emails).toEqual([home]);
  for (const value of [null, []])
    expect(after({ op: 'replace', path: 'emails', value }).emails).toEqual([]);
});

test('remove without a value removes the list, and with values those that are the same', () => {
  expect(after({ op: 'remove', path: 'emails' })).not.toHaveProperty('emails');
  for (const value of [[{ value: 'ada@example.com' }], { value: 'ada@example.com' }])
    expect(after({ op: 'remove', path: 'emails', value }).emails).toEqual([home]);
  expect(after({ op: 'remove', path: 'emails', value: [{ value: 'no' }] }).emails).toEqual([
    work,
    home,
  ]);
});

test('a filter chooses the values that are changed or removed', () => {
  const path = 'emails[type eq "home"]';
  expect(after({ op: 'replace', path: `${path}.value`, value: 'b@c.example' }).emails).toEqual([
    work,
    { ...home, value: 'b@c.example' },
  ]);
  expect(after({ op: 'replace', path, value: { display: 'H' } }).emails).toEqual([
    work,
    { ...home, display: 'H' },
  ]);
  expect(after({ op: 'remove', path }).emails).toEqual([work]);
  expect(after({ op: 'remove', path: `${path}.type` }).emails).toEqual([
    work,
    { value: 'ada@home.example' },
  ]);
});

test('a part without a filter is changed in each value', () => {
  expect(after({ op: 'replace', path: 'emails.type', value: 'other' }).emails).toEqual([
    { ...work, type: 'other' },
    { ...home, type: 'other' },
  ]);
});

test('where no value matches, one is made that the filter describes', () => {
  const path = 'phoneNumbers[type eq "work" and primary eq true].value';
  expect(after({ op: 'add', path, value: '1' }).phoneNumbers).toEqual([
    { type: 'work', primary: true, value: '1' },
  ]);
  for (const filter of ['type ne "work"', 'type eq "a" or type eq "b"', 'type pr'])
    expect(refused({ op: 'add', path: `photos[${filter}].value`, value: '1' }), filter).toEqual({
      status: 400,
      scimType: 'noTarget',
    });
});

test('a list has at most 100 values, and each value at most 100 parts', () => {
  const many = (length: number) => Array.from({ length }, (_, at) => ({ value: `${at}` }));
  const emails = (op: 'add' | 'replace', value: unknown) => ({ op, path: 'emails', value });
  expect(after(emails('replace', many(100))).emails).toHaveLength(100);
  expect(refused(emails('replace', many(101))).scimType).toBe('invalidValue');
  expect(refused(emails('add', many(99))).scimType).toBe('invalidValue');
  const parts = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]));
  expect(after(emails('replace', [parts(100)])).emails).toEqual([parts(100)]);
  expect(refused(emails('replace', [parts(101)])).scimType).toBe('invalidValue');
});

test('a path is an attribute of the resource, with a filter only if it has several values', () => {
  for (const path of ['shoeSize', 'emails[', 'name.shoe', 'urn:x:name', ''])
    expect(refused({ op: 'replace', path, value: 'x' }).scimType, path).toBe('invalidPath');
  expect(refused({ op: 'replace', path: 'title[value eq "x"]', value: 'x' }).scimType).toBe(
    'invalidPath',
  );
  expect(refused({ op: 'remove', path: 'emails[shoe eq "x"]' }).scimType).toBe('invalidFilter');
  expect(() => patched(groupType, {}, [{ op: 'add', path: 'title', value: 'x' }])).toThrow(
    '“title” is no attribute of a Group.',
  );
});
