import { Plus, X } from 'lucide-react';
import type { RefObject } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { t } from '#web/platform/texts.ts';
import type { PlaybookForm } from '#web/playbooks/create-playbook-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface ChecklistItemsFieldProps {
  newItem: RefObject<HTMLInputElement | null>;
  /** Adds what stands in `newItem`, trimmed; ignores it when that is empty. */
  onAdd: () => void;
}

/** The items of a new playbook. Enter adds one. */
export function ChecklistItemsField({ newItem, onAdd }: ChecklistItemsFieldProps) {
  const { control, register, formState } = useFormContext<PlaybookForm>();
  const { fields, remove } = useFieldArray({ control, name: 'checklistItems' });
  const errors = formState.errors.checklistItems;

  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t('playbooks.dialog.items')}</legend>
      {fields.map(({ id }, index) => (
        <div key={id} className="grid grid-cols-[1fr_auto] items-end gap-2">
          <ItemInput
            number={index + 1}
            error={errors?.[index]?.text?.message}
            input={register(`checklistItems.${index}.text`)}
          />
          <Button
            look="ghost"
            size="icon"
            className="self-start"
            aria-label={t('playbooks.dialog.remove', { number: index + 1 })}
            onClick={() => remove(index)}
          >
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      ))}
      <Field label={t('playbooks.dialog.newItem')} error={errors?.root?.message ?? errors?.message}>
        {(input) => (
          <div className="grid grid-cols-[1fr_auto] gap-2">
            <input
              {...input}
              ref={newItem}
              placeholder={t('playbooks.dialog.newItemExample')}
              className={inputClass}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                event.preventDefault();
                onAdd();
              }}
            />
            <Button look="outline" onClick={onAdd}>
              <Plus aria-hidden className="size-4" />
              {t('playbooks.dialog.add')}
            </Button>
          </div>
        )}
      </Field>
    </fieldset>
  );
}

interface ItemInputProps {
  number: number;
  error: string | undefined;
  input: object;
}

function ItemInput({ number, error, input }: ItemInputProps) {
  return (
    <div className="grid gap-1">
      <input
        {...input}
        aria-label={t('playbooks.dialog.item', { number })}
        aria-invalid={error !== undefined}
        className={inputClass}
      />
      {error && (
        <p role="alert" className="text-sm text-destructive">
          {error}
        </p>
      )}
    </div>
  );
}
