/** The part of JSON Schema 2020-12 that contracts need. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean | null;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: Schema;
}

type Ref = { $ref: string };
type Content = Record<string, { schema: Schema; example?: unknown }>;
export interface Answer {
  description: string;
  headers?: Record<string, Ref>;
  content?: Content;
}

export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  /** The scopes by which a token may call it (OpenAPI 3.1, Security Requirement Object). */
  security: { token: string[] }[];
  parameters?: (Parameter | Ref)[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, Answer | Ref>;
  'x-codeSamples': { lang: string; label: string; source: string }[];
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];
type PathItem = { [M in Method]?: DescribedOperation };

/** An OpenAPI 3.1 document with what our description has. */
export interface Description {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: {
    securitySchemes: { token: { type: 'http'; scheme: 'bearer'; description: string } };
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, { description: string; schema: Schema }>;
    responses: Record<string, Answer>;
  };
}
