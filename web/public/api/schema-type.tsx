import { Fragment, type ReactNode } from 'react';
import type { Schema } from '#domain/api/openapi/document.ts';
import { usePage } from '#web/public/page-context.ts';

export const schemaAnchor = (name: string) => `schema-${name}`;

/** The type of a value in a few words, like `string (date-time) or null`. Named schemas are links. */
export function SchemaType({ schema }: { schema: Schema }) {
  const { operation } = usePage().texts.api;
  const parts = partsOf(schema, operation);
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a type never move
    <Fragment key={at}>
      {at > 0 && ` ${operation.or} `}
      {part}
    </Fragment>
  ));
}

type Words = ReturnType<typeof usePage>['texts']['api']['operation'];

function partsOf(schema: Schema, words: Words): ReactNode[] {
  const { $ref, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return [<SchemaLink key={$ref} name={$ref.split('/').at(-1) ?? ''} />];
  const choices = anyOf ?? oneOf;
  if (choices) return choices.flatMap((each) => partsOf(each, words));
  return [type ?? 'any'].flat().map((each) => wordsOf({ ...schema, type: each }, words));
}

function wordsOf(schema: Schema, words: Words): ReactNode {
  const { type, format, items, additionalProperties } = schema;
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>;
  if (type === 'array' && items) {
    return (
      <>
        {words.arrayOf} <SchemaType schema={items} />
      </>
    );
  }
  if (type === 'object' && typeof additionalProperties === 'object') {
    return (
      <>
        {words.mapOf} <SchemaType schema={additionalProperties} />
      </>
    );
  }
  return format && type === 'string' ? `string (${format})` : type;
}

const SchemaLink = ({ name }: { name: string }) => (
  <a href={`#${schemaAnchor(name)}`} className="text-brand-ink underline underline-offset-2">
    {name}
  </a>
);
