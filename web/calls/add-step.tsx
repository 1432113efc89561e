import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { addChecklistItem } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import type { CallSession } from '#web/calls/call-session.ts';
import { request } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/field.tsx';

const longestStep = 500;

/** Adds steps to the running call's checklist, one by one. What could not be added stays in the field. */
export function AddStep({ session, id }: { session: CallSession; id: CallId }) {
  const [text, setText] = useState('');
  const { mutate, isPending } = useApiMutation(
    (step: string) => request(addChecklistItem, { params: { id }, body: { text: step } }),
    {
      failed: { title: t('call.steps.failed') },
      done: (item) => {
        session.addItem(item);
        setText('');
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const step = text.trim();
    if (step !== '' && !isPending) mutate(step);
  };
  return (
    <form className="flex items-center gap-2" onSubmit={submit}>
      <input
        aria-label={t('call.steps.label')}
        placeholder={t('call.steps.label')}
        value={text}
        maxLength={longestStep}
        readOnly={isPending}
        onChange={(event) => setText(event.target.value)}
        className={inputClass}
      />
      <Button
        type="submit"
        look="outline"
        size="icon"
        aria-label={t('call.steps.add')}
        title={t('call.steps.add')}
        disabled={isPending || text.trim() === ''}
      >
        <Plus aria-hidden className="size-4" />
      </Button>
    </form>
  );
}
