import { z } from 'zod';
import { updateEmbeddingBody } from '#domain/embedding/contract.ts';
import { useUpdateEmbedding } from '#web/embedding/queries.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Button } from '#web/ui/button.tsx';
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
  const { form, submit, failure, isRestored, startOver } = useDraftForm({
    draft: 'embedding',
    resolver,
    values: { sites: saved.join('\n') },
    send: ({ sites }) => mutateAsync({ origins: linesOf(sites) }),
    onSent: () => {},
  });
  const { register, formState } = form;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <RestoredNote shown={isRestored} startOver={startOver} />
      <Field
        label={t('security.embedding.label')}
        hint={t('security.embedding.hint')}
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
      <SubmitFailure failure={failure} />
      <Button type="submit" className="justify-self-end" disabled={isPending}>
        {isPending ? t('security.embedding.pending') : t('security.embedding.submit')}
      </Button>
    </form>
  );
}
