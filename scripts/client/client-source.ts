import type {
  DescribedOperation,
  Description,
  Parameter,
  Schema,
} from '#domain/api/openapi/document.ts';
import { docOf, typeOf } from './type-of.ts';

const head = '// Generated from the API description by `npm run generate-client`. Do not edit.';

/** Returns the generated part of the TypeScript client. */
export function clientSource({ paths, components }: Description): string {
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => [
    ...docOf(schema.description),
    schema.properties
      ? `export interface ${name} ${typeOf(schema)}\n`
      : `export type ${name} = ${typeOf(schema)};\n`,
  ]);
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const types = described.flatMap(({ operation }) => [
    ...docOf(`${operation.summary}. ${operation.description}`, '  '),
    `  ${operation.operationId}: { input: ${inputOf(operation)}; result: ${resultOf(operation)} };`,
  ]);
  const table = described.map(
    ({ path, method, operation }) =>
      `  ${operation.operationId}: { method: '${method.toUpperCase()}', path: '${path}' },`,
  );
  return [
    head,
    '',
    ...schemas,
    '/** What each operation takes, and the body of its answer. */',
    'export interface Operations {',
    ...types,
    '}',
    '',
    'export type OperationName = keyof Operations;',
    '',
    '/** The lists whose `Link` header leads to further pages. */',
    `export type PagedOperation = ${pagedOf(described.map(({ operation }) => operation))};`,
    '',
    'export const operations: Record<OperationName, { method: string; path: string }> = {',
    ...table,
    '};',
    '',
  ].join('\n');
}

function inputOf({ parameters = [], requestBody }: DescribedOperation): string {
  const own = parameters.filter((each): each is Parameter => 'in' in each);
  const parts = [
    partOf('params', own, 'path'),
    partOf('query', own, 'query'),
    ...Object.values(requestBody?.content ?? {}).map(
      ({ schema }) => `    body: ${typeOf(schema, '    ')};`,
    ),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '{}' : `{\n${parts.join('\n')}\n  }`;
}

function partOf(name: string, parameters: Parameter[], place: Parameter['in']): string {
  const own = parameters.filter((each) => each.in === place);
  if (own.length === 0) return '';
  const required = own.filter((each) => each.required).map((each) => each.name);
  const properties: [string, Schema][] = own.map(({ name, schema, description }) => [
    name,
    { ...schema, description },
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return `    ${name}${required.length > 0 ? '' : '?'}: ${typeOf(schema, '    ')};`;
}

function resultOf({ responses }: DescribedOperation): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = successes.flatMap(([, answer]) =>
    'content' in answer
      ? Object.values(answer.content ?? {}).map(({ schema }) => typeOf(schema, '  '))
      : ['undefined'],
  );
  return [...new Set(types)].join(' | ');
}

const pagedOf = (operations: DescribedOperation[]) =>
  operations
    .filter(({ responses }) => {
      const answer = responses['200'];
      return answer && 'headers' in answer && answer.headers?.Link !== undefined;
    })
    .map(({ operationId }) => `'${operationId}'`)
    .join(' | ');
