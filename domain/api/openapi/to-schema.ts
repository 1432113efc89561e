import { z } from 'zod';
import type { Schema } from './document.ts';
import { namedSchemas } from './schemas.ts';

const names = z.registry<{ id: string }>();
for (const [id, { schema }] of Object.entries(namedSchemas)) names.add(schema, { id });

/** Returns the JSON Schema of a contract's schema; those that have a name become references. */
export function toSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const generated = z.toJSONSchema(schema, { metadata: names, io, unrepresentable: 'any' });
  const { $schema: _, $defs: __, ...own } = generated;
  return simplified(own as Schema); // zod's type allows every keyword
}

/** Returns the schemas that references point to, with the descriptions of their fields. */
export function componentSchemas(): Record<string, Schema> {
  const generated = z.toJSONSchema(names, { io: 'output', unrepresentable: 'any', uri: refOf });
  return Object.fromEntries(
    Object.entries(namedSchemas).map(([name, { description, fields = {} }]) => {
      const { $schema: _, $id: __, ...own } = generated.schemas[name] ?? {};
      const schema = simplified(own as Schema);
      for (const [field, text] of Object.entries(fields)) {
        const property = schema.properties?.[field];
        if (property === undefined) throw new Error(`${name} has no field ${field}`);
        property.description = text;
      }
      return [name, { description, ...schema }];
    }),
  );
}

const refOf = (name: string) => `#/components/schemas/${name}`;
const isReference = (name: string, value: unknown): value is string =>
  name === '$ref' && typeof value === 'string';
/** zod limits integers to those that JavaScript represents exactly. */
const isSafeBound = (value: unknown) =>
  typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;

/**
 * Returns the same schema as a reader would write it: without patterns that repeat a format, and with `null` as
 * a type. Answers may get more fields, so none is closed.
 */
function simplified(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(
    ([name, value]) =>
      !(name === 'pattern' && schema.format !== undefined) &&
      !(name === 'additionalProperties' && value === false) &&
      !(name === 'id' && typeof value === 'string') &&
      name !== 'propertyNames' &&
      !isSafeBound(value),
  );
  const own: Schema = Object.fromEntries(
    kept.map(([name, value]) => {
      if (isReference(name, value)) return [name, value.replace('#/$defs/', refOf(''))];
      if (name === 'properties') {
        const properties = Object.entries(value as Record<string, Schema>);
        return [name, Object.fromEntries(properties.map(([key, each]) => [key, simplified(each)]))];
      }
      if (Array.isArray(value) && name.endsWith('Of')) return [name, value.map(simplified)];
      const isSchema = name === 'items' || (name === 'additionalProperties' && value !== true);
      return [name, isSchema ? simplified(value as Schema) : value];
    }),
  );
  return withNullAsType(own);
}

function withNullAsType(schema: Schema): Schema {
  const { anyOf, ...others } = schema;
  const [value, nothing] = anyOf ?? [];
  const isNullable = anyOf?.length === 2 && nothing?.type === 'null';
  if (!isNullable || typeof value?.type !== 'string') return schema;
  const { enum: choices } = value;
  return {
    ...others,
    ...value,
    type: [value.type, 'null'],
    ...(choices ? { enum: [...choices, null] } : {}),
  };
}
