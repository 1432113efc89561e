import type { Description } from '#domain/api/openapi/document.ts';
import { usePage } from '#web/public/page-context.ts';
import { operationsOf } from './operations-of.ts';

/** Beside the page on wide screens, folded above it on narrow ones. */
export function Contents({ description }: { description: Description }) {
  const { api } = usePage().texts;
  return (
    <>
      <details className="mt-8 rounded-lg border bg-card p-4 lg:hidden">
        <summary className="cursor-pointer font-medium">{api.contents}</summary>
        <nav aria-label={api.contents} className="mt-3">
          <Links description={description} />
        </nav>
      </details>
      <nav
        aria-label={api.contents}
        className="sticky top-0 hidden max-h-dvh overflow-y-auto py-14 lg:block"
      >
        <Links description={description} />
      </nav>
    </>
  );
}

function Links({ description }: { description: Description }) {
  const { api } = usePage().texts;
  const basics = [
    ['authentication', api.start.title],
    ['scopes', api.scopes.title],
    ['errors', api.errors.title],
    ['pagination', api.pages.title],
    ['rate-limits', api.rate.title],
    ['etags', api.entityTags.title],
    ['idempotency', api.idempotency.title],
    ['examples', api.examples.title],
  ] as const;
  return (
    <ul className="grid gap-0.5 text-sm">
      {basics.map(([anchor, title]) => (
        <ContentsLink key={anchor} anchor={anchor} title={title} />
      ))}
      {operationsOf(description).map(({ chapter, anchor, operations }) => (
        <li key={anchor} lang="en" className="mt-4">
          <a href={`#${anchor}`} className="font-semibold hover:underline">
            {chapter.name}
          </a>
          <ul className="mt-1 grid gap-0.5">
            {operations.map(({ operation: { operationId, summary } }) => (
              <ContentsLink key={operationId} anchor={operationId} title={summary} />
            ))}
          </ul>
        </li>
      ))}
      <ContentsLink anchor="schemas" title={api.schemas.title} className="mt-4" />
    </ul>
  );
}

interface ContentsLinkProps {
  anchor: string;
  title: string;
  className?: string;
}

const ContentsLink = ({ anchor, title, className }: ContentsLinkProps) => (
  <li className={className}>
    <a
      href={`#${anchor}`}
      className="inline-block py-1 text-muted-foreground hover:text-foreground hover:underline"
    >
      {title}
    </a>
  </li>
);
