import type { Schema } from '#domain/api/openapi/document.ts';
import { fill, usePage } from '#web/public/page-context.ts';
import { Marked } from './marked.tsx';
import { SchemaType } from './schema-type.tsx';

interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string | undefined;
}

/** The fields of an object, with those of the objects within it. */
export const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
    description: schema.description,
  }));

/** @param tellsRequired says of each field whether it must be sent */
export function Fields({ fields, tellsRequired }: { fields: Field[]; tellsRequired: boolean }) {
  const { operation } = usePage().texts.api;
  return (
    <ul className="divide-y border-y text-sm">
      {fields.map(({ name, schema, isRequired, description }) => (
        <li key={name} className="grid gap-1 py-2.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-semibold wrap-anywhere">{name}</code>
            <span className="text-muted-foreground">
              <SchemaType schema={schema} />
              {tellsRequired ? `, ${isRequired ? operation.required : operation.optional}` : ''}
              {schema.default === undefined
                ? ''
                : `, ${fill(operation.default, { value: String(schema.default) || '""' })}`}
            </span>
          </p>
          {description && (
            <p lang="en">
              <Marked text={description} />
            </p>
          )}
          <Choices schema={schema} />
          <Within schema={schema} tellsRequired={tellsRequired} />
        </li>
      ))}
    </ul>
  );
}

/** The values that a text may have. */
function Choices({ schema }: { schema: Schema }) {
  const { operation } = usePage().texts.api;
  const values = schema.enum ?? schema.items?.enum;
  if (!values) return null;
  const named = values.filter((value) => value !== null).map((value) => `\`${value}\``);
  return (
    <p className="text-muted-foreground">
      <Marked text={`${operation.values} ${named.join(', ')}`} />
    </p>
  );
}

function Within({ schema, tellsRequired }: { schema: Schema; tellsRequired: boolean }) {
  const inner = fieldsOf(schema.items ?? schema);
  if (inner.length === 0) return null;
  return (
    <div className="mt-1 pl-4">
      <Fields fields={inner} tellsRequired={tellsRequired} />
    </div>
  );
}
