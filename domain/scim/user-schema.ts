import { type Attribute, attribute, type ResourceType, type Schema } from './schema.ts';

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Multiple values, each with its type; one may be primary (RFC 7643, 2.4). */
const values = (
  name: string,
  description: string,
  canonicalValues: readonly string[],
  value: Attribute,
  more: Partial<Attribute> = {},
): Attribute =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      value,
      attribute('display', 'A name for people'),
      attribute('type', 'What it is for', { canonicalValues }),
      attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
    ],
    ...more,
  });

const core: Schema = {
  id: userUrn,
  name: 'User',
  description: 'A member of the organization',
  attributes: [
    attribute('userName', 'What the directory calls this person', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('name', 'The parts of the name', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The whole name'),
        attribute('familyName', 'The last name'),
        attribute('givenName', 'The first name'),
        attribute('middleName', 'The middle name'),
        attribute('honorificPrefix', 'A title before the name'),
        attribute('honorificSuffix', 'A suffix after the name'),
      ],
    }),
    attribute('displayName', 'The name shown to others'),
    attribute('nickName', 'A casual name'),
    attribute('profileUrl', 'A page about the person', {
      type: 'reference',
      caseExact: true,
      referenceTypes: ['external'],
    }),
    attribute('title', 'The position, such as “Success manager”'),
    attribute('userType', 'How the person belongs to the organization'),
    attribute('preferredLanguage', 'The preferred language'),
    attribute('locale', 'Where the person is, for dates and currency'),
    attribute('timezone', 'The time zone, such as “Europe/Berlin”'),
    attribute('active', 'Always there. False takes the membership away and ends every session.', {
      type: 'boolean',
      required: true,
    }),
    values(
      'emails',
      'Addresses of mail; the primary one signs in. May be left out where userName is one.',
      ['work', 'home', 'other'],
      attribute('value', 'The address', { required: true }),
      { required: true },
    ),
    values(
      'phoneNumbers',
      'Telephone numbers',
      ['work', 'home', 'mobile', 'fax', 'pager', 'other'],
      attribute('value', 'The number'),
    ),
    values(
      'photos',
      'Addresses of pictures',
      ['photo', 'thumbnail'],
      attribute('value', 'The address of the picture', {
        type: 'reference',
        caseExact: true,
        referenceTypes: ['external'],
      }),
    ),
    attribute('addresses', 'Postal addresses', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('formatted', 'The whole address'),
        attribute('streetAddress', 'Street and number'),
        attribute('locality', 'City'),
        attribute('region', 'State or region'),
        attribute('postalCode', 'Postal code'),
        attribute('country', 'Country'),
        attribute('type', 'What it is for', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
      ],
    }),
    attribute('groups', 'The groups of this person; changed at the group', {
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        attribute('value', 'The group’s id', { caseExact: true, mutability: 'readOnly' }),
        attribute('$ref', 'Where the group is', {
          type: 'reference',
          caseExact: true,
          mutability: 'readOnly',
          referenceTypes: ['Group'],
        }),
        attribute('type', 'Always direct', {
          mutability: 'readOnly',
          canonicalValues: ['direct'],
        }),
      ],
    }),
  ],
};

const enterprise: Schema = {
  id: enterpriseUrn,
  name: 'Enterprise User',
  description: 'What organizations often know of their people',
  attributes: [
    attribute('employeeNumber', 'The number of the employee'),
    attribute('costCenter', 'The cost center'),
    attribute('organization', 'The organization'),
    attribute('division', 'The division'),
    attribute('department', 'The department'),
    attribute('manager', 'The person’s manager', {
      type: 'complex',
      subAttributes: [
        attribute('value', 'The manager’s id', { caseExact: true }),
        attribute('$ref', 'Where the manager is', {
          type: 'reference',
          caseExact: true,
          referenceTypes: ['User'],
        }),
        attribute('displayName', 'The manager’s name'),
      ],
    }),
  ],
};

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: core.description,
  schema: core,
  extensions: [enterprise],
};

/**
 * Attributes that are deliberately not stored: a password would be a second way to sign in, and
 * roles come from groups that an admin has mapped, never from a person's own attributes.
 */
export const ignoredAttributes = new Set([
  'password',
  'roles',
  'entitlements',
  'x509certificates',
  'ims',
]);
