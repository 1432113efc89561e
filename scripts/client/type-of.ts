import type { Schema } from '#domain/api/openapi/document.ts';

/** Returns the TypeScript type of a schema. Named schemas are referred to by their name. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((each) => typeOf(each, indent)));
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent));
    case 'object':
      return schema.properties ? fieldsOf(schema, indent) : recordOf(schema, indent);
    default:
      return 'unknown';
  }
}

const union = (types: string[]) => [...new Set(types)].join(' | ');
const arrayOf = (type: string) => (/[ |]/.test(type) ? `Array<${type}>` : `${type}[]`);

function recordOf({ additionalProperties }: Schema, indent: string): string {
  const value = typeof additionalProperties === 'object' ? additionalProperties : {};
  return `Record<string, ${typeOf(value, indent)}>`;
}

function fieldsOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).flatMap(([name, schema]) => [
    ...docOf(schema.description, inner),
    `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};`,
  ]);
  return fields.length === 0 ? '{}' : ['{', ...fields, `${indent}}`].join('\n');
}

/** Returns a doc comment, if there is a text. */
export const docOf = (text: string | undefined, indent = ''): string[] =>
  text === undefined ? [] : [`${indent}/** ${text.replaceAll('*/', '*\\/')} */`];
