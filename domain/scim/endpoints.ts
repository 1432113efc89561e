/** The path of the SCIM protocol. Each token is for the directory of one organization. */
export const scimPath = '/scim/v2';

/**
 * Every endpoint of the protocol (RFC 7644, table 2). Routes are created from this table, and the
 * test of tenant isolation iterates over it, so that none can be forgotten. Other methods of these
 * paths answer 405.
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

/** Defined by the protocol but not supported: 501, in agreement with discovery. */
export const unsupportedPaths = ['/Me', '/Bulk', '/.search'] as const;

export const longestPage = 200;
