import {
  describedSchemas,
  describedTypes,
  listResponse,
  serviceProviderConfig,
} from '#domain/scim/discovery.ts';
import { ScimError, unknownResource } from '#domain/scim/error.ts';
import type { Asked, Handlers, ScimAnswer } from './directory-request.ts';

/** Handlers for directories that first query the supported features (RFC 7644, section 4). */
export const discoveryHandlers: Handlers = {
  'GET /ServiceProviderConfig': async ({ base }) => ({
    status: 200,
    body: serviceProviderConfig(base),
  }),
  'GET /ResourceTypes': async (asked) => all(asked, describedTypes(asked.base)),
  'GET /ResourceTypes/:id': async ({ base, id }) => one(describedTypes(base), id),
  'GET /Schemas': async (asked) => all(asked, describedSchemas(asked.base)),
  'GET /Schemas/:id': async ({ base, id }) => one(describedSchemas(base), id),
};

/** Refuses filters, as RFC 7644, section 4, requires: the lists are short. */
function all({ query }: Asked, resources: object[]): ScimAnswer {
  if (query.filter !== undefined) throw new ScimError(403, 'These lists cannot be filtered.');
  return { status: 200, body: listResponse(resources) };
}

function one(resources: { id: string }[], id: string): ScimAnswer {
  const found = resources.find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (!found) throw unknownResource();
  return { status: 200, body: found };
}
