/** An attribute as RFC 7643, section 7, describes it. */
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

/** Every resource has these (RFC 7643, 3.1); they stand in no schema. */
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

/** Where an attribute is: `emails.type`, or `urn:…:User:department`. Names are as they were written. */
export interface AttributePath {
  schema?: string;
  name: string;
  sub?: string;
}

/** An attribute that a path leads to, with the extension that it belongs to. */
export interface Found {
  attribute: Attribute;
  sub?: Attribute;
  extension?: Schema;
}

export const named = (list: readonly Attribute[] | undefined, name: string) =>
  list?.find((each) => each.name.toLowerCase() === name.toLowerCase());

/** The schema, or extension, that a URN names, whatever its case. */
export const schemaOf = ({ schema, extensions }: ResourceType, urn: string) =>
  [schema, ...extensions].find(({ id }) => id.toLowerCase() === urn.toLowerCase());

/** Names are matched whatever their case (RFC 7643, 2.1). Undefined for what we do not have. */
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
