/** What is served under this path, for the directory of one organization each. */
export const scimPath = '/scim/v2';

/**
 * Every endpoint of the protocol (RFC 7644, table 2). Routes are made from this table, and the wall's
 * test goes through it, so that none can be forgotten. Other methods of these paths answer 405.
 */
export const scimEndpoints = [
  'GET /ServiceProviderConfig',
  'GET /ResourceTypes',
  'GET /ResourceTypes/:id',
  'GET /Schemas',
  'GET /Schemas/:id',
  'GET /Users',
  'POST /Users',
  'POST /Users/.search',
  'GET /Users/:id',
  'PUT /Users/:id',
  'PATCH /Users/:id',
  'DELETE /Users/:id',
  'GET /Groups',
  'POST /Groups',
  'POST /Groups/.search',
  'GET /Groups/:id',
  'PUT /Groups/:id',
  'PATCH /Groups/:id',
  'DELETE /Groups/:id',
] as const;
export type ScimEndpoint = (typeof scimEndpoints)[number];

/** Known to the protocol, and not to us: 501, as discovery says. */
export const unsupportedPaths = ['/Me', '/Bulk', '/.search'] as const;

export const longestPage = 200;
