import type { ReactNode } from 'react';
import type { Description } from '#domain/api/openapi/document.ts';
import { apiRate } from '#domain/api/rate.ts';
import { type ApiScope, apiScopes } from '#domain/api/scopes.ts';
import { fill, usePage } from '#web/public/page-context.ts';
import germanTokens from '#web/texts/de/api.json';
import englishTokens from '#web/texts/en/api.json';
import createRoom from '../../../sdk/client/examples/create-room.sh?raw';
import listRooms from '../../../sdk/client/examples/list-rooms.sh?raw';
import paginate from '../../../sdk/client/examples/paginate.sh?raw';
import { CodeBlock, Marked } from './marked.tsx';

const tokenTexts = { en: englishTokens, de: germanTokens };

/** What holds for every operation. */
export function Basics({ components }: Pick<Description, 'components'>) {
  const { api } = usePage().texts;
  const { start, scopes, errors, pages, rate, entityTags, idempotency } = api;
  return (
    <>
      <Chapter id="authentication" title={start.title}>
        <Text text={start.text} />
        <CodeBlock label={start.title}>{listRooms}</CodeBlock>
        <Text text={start.variables} />
        <Text text={start.personal} />
        <Text text={start.expires} />
      </Chapter>
      <Chapter id="scopes" title={scopes.title}>
        <Text text={scopes.text} />
        <ScopeTable />
      </Chapter>
      <Chapter id="errors" title={errors.title}>
        <Text text={errors.text} />
        <ErrorTable responses={components.responses} />
      </Chapter>
      <Chapter id="pagination" title={pages.title}>
        <Text text={pages.text} />
        <CodeBlock label={pages.title}>{paginate}</CodeBlock>
      </Chapter>
      <Chapter id="rate-limits" title={rate.title}>
        <Text text={fill(rate.text, { most: apiRate.most, seconds: apiRate.windowSeconds })} />
      </Chapter>
      <Chapter id="etags" title={entityTags.title}>
        <Text text={entityTags.text} />
        <Text text={entityTags.change} />
      </Chapter>
      <Chapter id="idempotency" title={idempotency.title}>
        <Text text={idempotency.text} />
        <CodeBlock label={idempotency.title}>{createRoom}</CodeBlock>
        <Text text={idempotency.conflict} />
      </Chapter>
    </>
  );
}

interface ChapterProps {
  id: string;
  title: string;
  children: ReactNode;
}

export function Chapter({ id, title, children }: ChapterProps) {
  return (
    <section id={id} className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 pt-14">
      <h2 className="text-2xl font-semibold tracking-tight sm:text-3xl">{title}</h2>
      {children}
    </section>
  );
}

export const Text = ({ text }: { text: string }) => (
  <p className="leading-relaxed">
    <Marked text={text} />
  </p>
);

function ScopeTable() {
  const { texts, language } = usePage();
  const { scopes } = texts.api;
  const of: Record<string, Record<string, string>> = tokenTexts[language].scope;
  const allows = (scope: ApiScope) => {
    const [noun = '', verb = ''] = scope.split(':');
    return of[noun]?.[verb] ?? '';
  };
  return (
    <Table head={[scopes.scope, scopes.allows]}>
      {apiScopes.map((scope) => (
        <tr key={scope}>
          <th scope="row" className="py-2 pr-4 text-left align-top font-normal">
            <code>{scope}</code>
          </th>
          <td className="py-2">{allows(scope)}</td>
        </tr>
      ))}
    </Table>
  );
}

function ErrorTable({ responses }: Pick<Description['components'], 'responses'>) {
  const { errors } = usePage().texts.api;
  const rows = Object.values(responses).map(({ description, content }) => {
    const [problem] = Object.values(content ?? {});
    return { status: statusOf(problem?.example), description };
  });
  return (
    <Table head={[errors.status, errors.meaning]}>
      {rows.map(({ status, description }) => (
        <tr key={status} id={`error-${status}`}>
          <th scope="row" className="py-2 pr-4 text-left align-top">
            {status}
          </th>
          <td className="py-2" lang="en">
            <Marked text={description} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const statusOf = (example: unknown): string =>
  typeof example === 'object' && example && 'status' in example ? String(example.status) : '';

function Table({ head, children }: { head: string[]; children: ReactNode }) {
  return (
    <table className="w-full border-y text-sm">
      <thead>
        <tr>
          {head.map((each) => (
            <th key={each} scope="col" className="py-2 pr-4 text-left font-semibold">
              {each}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y border-t">{children}</tbody>
    </table>
  );
}
