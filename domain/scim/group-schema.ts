import { attribute, type ResourceType } from './schema.ts';

export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'People to whom an admin may give a role together',
  schema: {
    id: groupUrn,
    name: 'Group',
    description: 'People to whom an admin may give a role together',
    attributes: [
      attribute('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
      attribute('members', 'Its people', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', 'The person’s id', {
            caseExact: true,
            mutability: 'immutable',
          }),
          attribute('$ref', 'Where the person is', {
            type: 'reference',
            caseExact: true,
            mutability: 'immutable',
            referenceTypes: ['User'],
          }),
          attribute('type', 'Always User', {
            mutability: 'immutable',
            canonicalValues: ['User'],
          }),
        ],
      }),
    ],
  },
  extensions: [],
};
