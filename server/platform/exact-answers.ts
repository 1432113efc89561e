/** A JSON schema, as far as it is read here. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a value is exactly what a schema describes, so that `JSON.stringify` writes nothing else. */
type IsExact = (value: unknown) => boolean;

/**
 * Returns a check that a value has the types of the schema, and objects its fields, in its order, and no others.
 * `JSON.stringify` then writes the same text as a serializer of the schema, in half the time, and with a quarter
 * of the garbage. Null for schemas that are not checked: unions, maps, and values of any type.
 */
export function exactly(schema: JsonSchema): IsExact | null {
  const isExact = ofType(schema);
  if (isExact === null || schema.nullable !== true) return isExact;
  return (value) => value === null || isExact(value);
}

function ofType(schema: JsonSchema): IsExact | null {
  switch (schema.type) {
    case 'string':
      return (value) => typeof value === 'string';
    case 'integer':
      return Number.isInteger;
    case 'number':
      return Number.isFinite;
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'array':
      return arrayOf(schema);
    case 'object':
      return objectOf(schema);
    default:
      return null;
  }
}

function arrayOf({ items }: JsonSchema): IsExact | null {
  const isExact = isSchema(items) ? exactly(items) : null;
  return isExact && ((value) => Array.isArray(value) && value.every(isExact));
}

interface Field {
  name: string;
  isRequired: boolean;
  isExact: IsExact;
}

function objectOf({ properties, additionalProperties, required }: JsonSchema): IsExact | null {
  if (!isSchema(properties) || additionalProperties !== undefined) return null;
  const fields: Field[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const isExact = isSchema(schema) ? exactly(schema) : null;
    if (isExact === null) return null;
    fields.push({ name, isExact, isRequired: Array.isArray(required) && required.includes(name) });
  }
  return (value) => isPlain(value) && hasExactly(value, fields);
}

/** Reads both in their order: an optional field that the object leaves out is passed over. */
function hasExactly(value: Record<string, unknown>, fields: readonly Field[]): boolean {
  let next = 0;
  for (const name in value) {
    let field = fields[next];
    while (field && field.name !== name) {
      if (field.isRequired) return false;
      next += 1;
      field = fields[next];
    }
    if (!field?.isExact(value[name])) return false;
    next += 1;
  }
  for (; next < fields.length; next += 1) if (fields[next]?.isRequired) return false;
  return true;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Others, such as dates, may have a text of their own. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
