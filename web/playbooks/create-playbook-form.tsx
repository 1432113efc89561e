import { useRef } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { createPlaybookBody } from '#domain/playbooks/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { ChecklistItemsField } from '#web/playbooks/checklist-items-field.tsx';
import { useCreatePlaybook } from '#web/playbooks/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

export interface PlaybookForm {
  title: string;
  description?: string | undefined;
  checklistItems: { text: string }[];
}
const empty: PlaybookForm = { title: '', description: '', checklistItems: [] };

export function CreatePlaybookForm({ onDone }: { onDone: () => void }) {
  const { mutate, isPending } = useCreatePlaybook();
  const form = useForm({ resolver: formResolver(createPlaybookBody), defaultValues: empty });
  const newItem = useRef<HTMLInputElement>(null);
  const { register, handleSubmit, formState, getValues, setValue } = form;
  const addItem = () => {
    const text = newItem.current?.value.trim();
    if (!newItem.current || !text) return;
    setValue('checklistItems', [...getValues('checklistItems'), { text }], {
      shouldValidate: formState.isSubmitted,
    });
    newItem.current.value = '';
  };
  const submit = handleSubmit(({ title, description, checklistItems }) =>
    mutate(
      { title, checklistItems, ...(description ? { description } : {}) },
      { onSuccess: onDone },
    ),
  );
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          // What was typed and not added yet is meant to be in the playbook.
          addItem();
          return submit(event);
        }}
      >
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
        <ChecklistItemsField newItem={newItem} onAdd={addItem} />
        <DialogActions>
          <Button look="outline" onClick={onDone}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={isPending}>
            {isPending ? t('playbooks.dialog.pending') : t('playbooks.dialog.submit')}
          </Button>
        </DialogActions>
      </form>
    </FormProvider>
  );
}
