import { clsx } from 'clsx';
import type { Description } from '#domain/api/openapi/document.ts';
import { apiDescriptionPath } from '#domain/public/pages.ts';
import { Basics, Chapter, Text } from '#web/public/api/basics.tsx';
import { Contents } from '#web/public/api/contents.tsx';
import { Examples } from '#web/public/api/examples.tsx';
import { Fields, fieldsOf } from '#web/public/api/fields.tsx';
import { Marked } from '#web/public/api/marked.tsx';
import { Operation } from '#web/public/api/operation.tsx';
import { operationsOf } from '#web/public/api/operations-of.ts';
import { SchemaType, schemaAnchor } from '#web/public/api/schema-type.tsx';
import { ButtonLink } from '#web/public/button-link.tsx';
import { usePage } from '#web/public/page-context.ts';
import { measure, PageTop } from '#web/public/section.tsx';

/** The API reference, rendered from the description (docs/decisions/0026-api-reference-of-our-own.md). */
export function ApiPage() {
  const { texts, language, api } = usePage();
  if (api === null) throw new Error('The API page has no description');
  const { api: words } = texts;
  return (
    <>
      <PageTop title={words.headline} lead={words.lead} />
      <div className={clsx(measure, 'mt-6 flex flex-wrap items-center gap-4')}>
        <ButtonLink href={apiDescriptionPath} look="outline" size="small">
          {words.download}
        </ButtonLink>
        {language !== 'en' && <p className="text-sm text-muted-foreground">{words.english}</p>}
      </div>
      <div
        className={clsx(
          measure,
          'reference grid grid-cols-[minmax(0,1fr)] gap-x-10 pb-24 lg:grid-cols-[13rem_minmax(0,1fr)]',
        )}
      >
        <Contents description={api} />
        <div className="min-w-0">
          <Basics components={api.components} />
          <Chapter id="examples" title={words.examples.title}>
            <Text text={words.examples.text} />
          </Chapter>
          <Examples />
          <Operations description={api} />
          <Schemas components={api.components} />
        </div>
      </div>
    </>
  );
}

function Operations({ description }: { description: Description }) {
  return operationsOf(description).map(({ chapter, anchor, operations }) => (
    <section key={anchor} id={anchor} className="pt-16">
      <h2 lang="en" className="text-2xl font-semibold tracking-tight sm:text-3xl">
        {chapter.name}
      </h2>
      <p lang="en" className="mt-3 mb-8 text-muted-foreground">
        {chapter.description}
      </p>
      {operations.map((each) => (
        <Operation key={each.operation.operationId} {...each} components={description.components} />
      ))}
    </section>
  ));
}

function Schemas({ components }: Pick<Description, 'components'>) {
  const { schemas } = usePage().texts.api;
  return (
    <>
      <Chapter id="schemas" title={schemas.title}>
        <Text text={schemas.text} />
      </Chapter>
      {Object.entries(components.schemas).map(([name, schema]) => {
        const fields = fieldsOf(schema);
        return (
          <section key={name} id={schemaAnchor(name)} className="grid max-w-3xl gap-3 pt-10">
            <h3 className="text-xl font-semibold tracking-tight">{name}</h3>
            <p lang="en" className="text-muted-foreground">
              <Marked text={schema.description ?? ''} />
            </p>
            {fields.length > 0 ? (
              <Fields fields={fields} tellsRequired={false} />
            ) : (
              <Choices choices={schema.oneOf ?? schema.anyOf ?? []} />
            )}
          </section>
        );
      })}
    </>
  );
}

/** The shapes that an object may have. */
const Choices = ({ choices }: { choices: Description['components']['schemas'][string][] }) =>
  choices.map((choice) => (
    <div key={JSON.stringify(choice.properties?.kind)} className="grid gap-2">
      <p className="text-sm">
        <code>{String(choice.properties?.kind?.const ?? '')}</code>, <SchemaType schema={choice} />
      </p>
      <Fields fields={fieldsOf(choice)} tellsRequired={false} />
    </div>
  ));
