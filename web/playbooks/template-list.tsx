import { ChevronRight } from 'lucide-react';
import type { PlaybookTemplate } from '#domain/playbooks/templates/template.ts';
import { t } from '#web/platform/texts.ts';
import { useCreatePlaybook } from '#web/playbooks/queries.ts';
import { templates } from '#web/playbooks/templates.ts';
import { Button } from '#web/ui/button.tsx';

/** The templates, each with its steps and a button that creates a playbook from it. */
export function TemplateList({ onUsed }: { onUsed?: () => void }) {
  const { mutate, isPending, variables } = useCreatePlaybook();
  const use = ({ title, description, steps }: PlaybookTemplate) =>
    mutate(
      { title, description, checklistItems: steps.map((text) => ({ text })) },
      { onSuccess: () => onUsed?.() },
    );
  return (
    <ul className="grid grid-cols-1 divide-y">
      {templates.map((template) => (
        <li key={template.name} className="flex flex-wrap items-start gap-3 py-4 first:pt-0">
          <div className="min-w-52 flex-1">
            <h3 className="text-sm font-semibold">{template.title}</h3>
            <p className="mt-0.5 text-sm text-muted-foreground">{template.description}</p>
            <Steps steps={template.steps} />
          </div>
          <Button
            look="outline"
            size="small"
            disabled={isPending}
            aria-label={t('playbooks.templates.useNamed', { title: template.title })}
            onClick={() => use(template)}
          >
            {isPending && variables.title === template.title
              ? t('playbooks.dialog.pending')
              : t('playbooks.templates.use')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Steps({ steps }: Pick<PlaybookTemplate, 'steps'>) {
  return (
    <details className="group mt-1.5 text-sm">
      <summary className="flex w-fit cursor-default list-none items-center gap-1 rounded text-xs text-muted-foreground hover:text-foreground [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open:rotate-90" />
        {t('playbooks.templates.steps', { count: steps.length })}
      </summary>
      <ol className="mt-2 ml-5 grid list-decimal gap-1 pl-3 marker:text-muted-foreground">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  );
}
