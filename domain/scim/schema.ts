/** An attribute as described by RFC 7643, section 7. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: 'readWrite' | 'readOnly' | 'immutable';
  returned: 'default' | 'always';
  uniqueness: 'none' | 'server';
  canonicalValues?: readonly string[];
  referenceTypes?: readonly string[];
  subAttributes?: readonly Attribute[];
}

export interface Schema {
  id: string;
  name: string;
  description: string;
  attributes: readonly Attribute[];
}

export interface ResourceType {
  name: 'User' | 'Group';
  endpoint: '/Users' | '/Groups';
  description: string;
  schema: Schema;
  extensions: readonly Schema[];
}

export const attribute = (
  name: string,
  description: string,
  more: Partial<Attribute> = {},
): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

/** Every resource has these (RFC 7643, 3.1). They are part of no schema. */
const common: readonly Attribute[] = [
  attribute('id', 'Our identifier', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('externalId', 'The directory’s identifier', { caseExact: true }),
  attribute('meta', 'When it was made and changed', {
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      attribute('resourceType', 'User or Group', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'When', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('lastModified', 'When', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('location', 'Where', { type: 'reference', mutability: 'readOnly' }),
      attribute('version', 'The ETag', { caseExact: true, mutability: 'readOnly' }),
    ],
  }),
];

/** The path of an attribute: `emails.type`, or `urn:…:User:department`. Names are as written. */
export interface AttributePath {
  schema?: string;
  name: string;
  sub?: string;
}

/** The attribute at a path, with the extension that it belongs to. */
export interface Found {
  attribute: Attribute;
  sub?: Attribute;
  extension?: Schema;
}

export const named = (list: readonly Attribute[] | undefined, name: string) =>
  list?.find((each) => each.name.toLowerCase() === name.toLowerCase());

/** Returns the schema or extension with a URN, in any case. */
export const schemaOf = ({ schema, extensions }: ResourceType, urn: string) =>
  [schema, ...extensions].find(({ id }) => id.toLowerCase() === urn.toLowerCase());

/** Returns an attribute by its name, in any case (RFC 7643, 2.1). Undefined if our schemas lack it. */
export function findAttribute(type: ResourceType, path: AttributePath): Found | undefined {
  const schema = path.schema === undefined ? type.schema : schemaOf(type, path.schema);
  if (!schema) return undefined;
  const isCore = schema === type.schema;
  const found =
    named(schema.attributes, path.name) ?? (isCore ? named(common, path.name) : undefined);
  if (!found) return undefined;
  const extension = isCore ? {} : { extension: schema };
  if (path.sub === undefined) return { attribute: found, ...extension };
  const sub = named(found.subAttributes, path.sub);
  return sub && { attribute: found, sub, ...extension };
}
