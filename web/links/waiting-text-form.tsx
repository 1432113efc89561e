import '#web/platform/links-texts.ts';
import { z } from 'zod';
import { changeGuestAccessBody, longestWaitingText } from '#domain/links/contract.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
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
  const draftForm = useDraftForm({
    draft,
    resolver,
    values: { waitingText: saved ?? '' },
    send: ({ waitingText }) => send(waitingText),
    onSent: () => {},
  });
  const { register, formState } = draftForm.form;
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('links.waiting.submit'), pending: t('links.waiting.pending') }}
      isInPage
    >
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
    </DraftForm>
  );
}
