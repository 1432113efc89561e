import { z } from 'zod';
import { changeGuestAccessBody, longestWaitingText } from '#domain/links/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

const resolver = formResolver(
  z.object({
    waitingText: z.string().check((given) => {
      const { error } = changeGuestAccessBody.shape.waitingText.safeParse(given.value);
      for (const { message } of error?.issues ?? [])
        given.issues.push({ code: 'custom', message, input: given.value });
    }),
  }),
);

interface WaitingTextFormProps {
  draft: string;
  saved: string | null;
  placeholder: string;
  hint: string;
  isPending: boolean;
  send: (text: string) => Promise<unknown>;
}

export function WaitingTextForm(props: WaitingTextFormProps) {
  const { draft, saved, placeholder, hint, isPending, send } = props;
  const { form, submit, failure, isRestored, startOver } = useDraftForm({
    draft,
    resolver,
    values: { waitingText: saved ?? '' },
    send: ({ waitingText }) => send(waitingText),
    onSent: () => {},
  });
  const { register, formState } = form;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <RestoredNote shown={isRestored} startOver={startOver} />
      <Field
        label={t('links.waiting.label')}
        hint={hint}
        error={formState.errors.waitingText?.message}
      >
        {(input) => (
          <textarea
            {...input}
            {...register('waitingText')}
            rows={5}
            maxLength={longestWaitingText}
            placeholder={placeholder}
            className={`${inputClass} h-auto resize-y py-2`}
          />
        )}
      </Field>
      <SubmitFailure failure={failure} />
      <Button type="submit" className="justify-self-end" disabled={isPending}>
        {isPending ? t('links.waiting.pending') : t('links.waiting.submit')}
      </Button>
    </form>
  );
}
