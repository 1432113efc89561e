import { jsonSchemaTransform } from 'fastify-type-provider-zod';

const fileBody = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' } },
};

/** Returns a route's schema for OpenAPI: zod schemas as JSON Schema, and a file as a multipart form. */
export const describeRoute: typeof jsonSchemaTransform = (route) => {
  const described = jsonSchemaTransform(route);
  if (!('takesFile' in described.schema)) return described;
  const { takesFile: _, ...schema } = described.schema;
  return { ...described, schema: { ...schema, body: fileBody } };
};
