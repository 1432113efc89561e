import { longestPage } from './endpoints.ts';
import { groupType } from './group-schema.ts';
import type { ResourceType, Schema } from './schema.ts';
import { userType } from './user-schema.ts';

export const resourceTypes = [userType, groupType] as const;
const schemas: readonly Schema[] = [userType.schema, ...userType.extensions, groupType.schema];

export const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const configUrn = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const typeUrn = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const schemaUrn = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

/**
 * RFC 7643, section 5.
 * @param base URL that serves the protocol, `https://…/scim/v2`
 */
export const serviceProviderConfig = (base: string) => ({
  schemas: [configUrn],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: longestPage },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an admin makes in Settings, Provisioning.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const describeType = (type: ResourceType, base: string) => ({
  schemas: [typeUrn],
  id: type.name,
  name: type.name,
  endpoint: type.endpoint,
  description: type.description,
  schema: type.schema.id,
  ...(type.extensions.length > 0
    ? { schemaExtensions: type.extensions.map(({ id }) => ({ schema: id, required: false })) }
    : {}),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.name}` },
});

export const describeSchema = (schema: Schema, base: string) => ({
  schemas: [schemaUrn],
  ...schema,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
});

export const describedTypes = (base: string) =>
  resourceTypes.map((type) => describeType(type, base));
export const describedSchemas = (base: string) =>
  schemas.map((schema) => describeSchema(schema, base));

/** RFC 7644, 3.4.2. */
export const listResponse = (
  resources: readonly object[],
  totalResults = resources.length,
  startIndex = 1,
) => ({
  schemas: [listUrn],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
