import { z } from 'zod';
import { updateEmbeddingBody } from '#domain/embedding/contract.ts';
import { useUpdateEmbedding } from '#web/embedding/queries.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Field, inputClass } from '#web/ui/field.tsx';

const linesOf = (text: string) => text.split(/\s+/).filter((line) => line !== '');

const resolver = formResolver(
  z.object({
    sites: z.string().check((given) => {
      const { error } = updateEmbeddingBody.safeParse({ origins: linesOf(given.value) });
      const [first] = error?.issues ?? [];
      if (first) given.issues.push({ code: 'custom', message: first.message, input: given.value });
    }),
  }),
);

export function SitesForm({ saved }: { saved: string[] }) {
  const { mutateAsync, isPending } = useUpdateEmbedding();
  const draftForm = useDraftForm({
    draft: 'embedding',
    resolver,
    values: { sites: saved.join('\n') },
    send: ({ sites }) => mutateAsync({ origins: linesOf(sites) }),
    onSent: () => {},
  });
  const { register, formState } = draftForm.form;
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('embedding.submit'), pending: t('embedding.pending') }}
      isInPage
    >
      <Field
        label={t('embedding.label')}
        hint={t('embedding.hint')}
        error={formState.errors.sites?.message}
      >
        {(input) => (
          <textarea
            {...input}
            {...register('sites')}
            rows={4}
            spellCheck={false}
            autoComplete="off"
            className={`${inputClass} h-auto resize-y py-2`}
          />
        )}
      </Field>
    </DraftForm>
  );
}
