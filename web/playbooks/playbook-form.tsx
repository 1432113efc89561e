import { useEffect } from 'react';
import { FormProvider, useFieldArray } from 'react-hook-form';
import type { ChecklistItem } from '#domain/playbooks/contract.ts';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { ChecklistItemsField } from '#web/playbooks/checklist-items-field.tsx';
import {
  type PlaybookEdit,
  type PlaybookValues,
  playbookResolver,
} from '#web/playbooks/playbook-values.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface FailureProps {
  failure: unknown;
  /** Sends again, as an edit of this version. */
  sendOver: (version: number, items: readonly ChecklistItem[]) => void;
  /** Replaces the input with other values. */
  become: (values: PlaybookValues) => void;
}

interface PlaybookFormProps {
  draft: string;
  values: PlaybookValues;
  texts: { submit: string; pending: string };
  isPending: boolean;
  send: (edit: PlaybookEdit) => Promise<unknown>;
  onSent: () => void;
  failureOf: (props: FailureProps) => React.ReactNode;
  /** Stands before the fields. */
  start?: React.ReactNode;
}

export function PlaybookForm(props: PlaybookFormProps) {
  const { draft, values, texts, isPending, send, onSent } = props;
  const { form, submit, failure, isRestored, startOver, close } = useDraftForm({
    draft,
    resolver: playbookResolver,
    values,
    send,
    onSent,
  });
  const { register, formState, getValues, setValue, setFocus } = form;
  // The edit form renders after its dialog, which has already moved the focus.
  useEffect(() => setFocus('title'), [setFocus]);
  const items = useFieldArray({ control: form.control, name: 'checklistItems', keyName: 'key' });
  const addItem = () => {
    const text = getValues('newItem').trim();
    if (!text) return;
    items.append({ text }, { shouldFocus: false });
    setValue('newItem', '');
    if (formState.isSubmitted) void form.trigger('checklistItems');
  };
  const sendOver = (version: number, theirs: readonly ChecklistItem[]) => {
    const known = new Set<string>(theirs.map(({ id }) => id));
    // An item that they removed and this person kept is a new item.
    const kept = getValues('checklistItems').map(({ id, text }) =>
      id && known.has(id) ? { id, text } : { text },
    );
    setValue('checklistItems', kept);
    setValue('version', version);
    void submit();
  };
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          // Typed text that was not added yet should be in the playbook.
          addItem();
          return submit(event);
        }}
      >
        <RestoredNote shown={isRestored} startOver={startOver} />
        {props.start}
        <Field label={t('playbooks.dialog.name')} error={formState.errors.title?.message}>
          {(input) => (
            <input
              {...input}
              {...register('title')}
              placeholder={t('playbooks.dialog.nameExample')}
              className={inputClass}
            />
          )}
        </Field>
        <Field
          label={t('playbooks.dialog.description')}
          note={t('auth.fields.optional')}
          error={formState.errors.description?.message}
        >
          {(input) => (
            <textarea
              {...input}
              {...register('description')}
              rows={2}
              className={`${inputClass} h-auto py-2`}
            />
          )}
        </Field>
        <ChecklistItemsField items={items} onAdd={addItem} />
        {props.failureOf({ failure, sendOver, become: (next) => form.reset(next) })}
        <DialogActions>
          <Button look="outline" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={isPending}>
            {isPending ? texts.pending : texts.submit}
          </Button>
        </DialogActions>
      </form>
    </FormProvider>
  );
}
