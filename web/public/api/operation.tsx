import type { ReactNode } from 'react';
import type {
  Answer,
  DescribedOperation,
  Description,
  Parameter,
  Schema,
} from '#domain/api/openapi/document.ts';
import { usePage } from '#web/public/page-context.ts';
import { Fields, fieldsOf } from './fields.tsx';
import { CodeBlock, Marked } from './marked.tsx';
import { SchemaType } from './schema-type.tsx';

interface OperationProps {
  method: string;
  path: string;
  operation: DescribedOperation;
  components: Description['components'];
}

/** One operation: what it takes, what it answers, and a command that calls it. */
export function Operation({ method, path, operation, components }: OperationProps) {
  const { operation: words } = usePage().texts.api;
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const [scope] = operation.security.flatMap(({ token }) => token);
  const fields = parameters
    .map((each) => ('$ref' in each ? lastOf(components.parameters, each.$ref) : each))
    .filter((each): each is Parameter => each !== undefined);
  const [sample] = operation['x-codeSamples'];
  return (
    <section
      id={operationId}
      className="grid grid-cols-[minmax(0,1fr)] gap-6 border-t py-10 xl:grid-cols-2"
    >
      <div className="grid min-w-0 content-start gap-5">
        <h3 lang="en" className="text-xl font-semibold tracking-tight">
          {summary}
        </h3>
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Method name={method} />
          <code className="wrap-anywhere">{path}</code>
        </p>
        <p lang="en">
          <Marked text={description} />
        </p>
        <p className="text-sm text-muted-foreground">
          <Marked text={`${words.scope}: \`${scope}\``} />
        </p>
        {fields.length > 0 && (
          <Part title={words.parameters}>
            <Fields
              tellsRequired
              fields={fields.map(({ required, ...each }) => ({
                ...each,
                isRequired: required === true,
              }))}
            />
          </Part>
        )}
        {requestBody && (
          <Part title={words.body}>
            <Shape schema={schemaOf(requestBody)} tellsRequired />
          </Part>
        )}
      </div>
      <div className="grid min-w-0 content-start gap-5">
        {sample && <CodeBlock label={`${summary}, ${sample.label}`}>{sample.source}</CodeBlock>}
        <Answers responses={responses} />
      </div>
    </section>
  );
}

const lastOf = (parameters: Record<string, Parameter>, ref: string) =>
  parameters[ref.split('/').at(-1) ?? ''];
const schemaOf = ({ content }: Pick<Answer, 'content'>): Schema | undefined =>
  content?.['application/json']?.schema;

function Method({ name }: { name: string }) {
  return (
    <span className="rounded-md bg-muted px-2 py-0.5 font-mono text-xs font-semibold">
      {name.toUpperCase()}
    </span>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <h4 className="text-sm font-semibold">{title}</h4>
      {children}
    </div>
  );
}

function Shape({ schema, tellsRequired }: { schema: Schema | undefined; tellsRequired: boolean }) {
  const { operation } = usePage().texts.api;
  if (!schema) return <p className="text-sm">{operation.noBody}</p>;
  const fields = fieldsOf(schema);
  if (fields.length > 0) return <Fields fields={fields} tellsRequired={tellsRequired} />;
  return (
    <p className="text-sm">
      <SchemaType schema={schema} />
    </p>
  );
}

function Answers({ responses }: Pick<DescribedOperation, 'responses'>) {
  const { operation } = usePage().texts.api;
  const all = Object.entries(responses);
  const failures = all.filter(([, answer]) => '$ref' in answer).map(([status]) => status);
  return (
    <>
      {all.map(([status, answer]) =>
        '$ref' in answer ? null : (
          <Part key={status} title={`${operation.answer} ${status}`}>
            <Shape schema={schemaOf(answer)} tellsRequired={false} />
          </Part>
        ),
      )}
      <Part title={operation.errors}>
        <ul className="flex flex-wrap gap-2 text-sm">
          {failures.map((status) => (
            <li key={status}>
              <a
                href={`#error-${status}`}
                className="inline-block rounded-md border bg-card px-2 py-1 hover:bg-muted"
              >
                {status}
              </a>
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}
