import { Plus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { type UseFieldArrayReturn, useFormContext } from 'react-hook-form';
import { t } from '#web/platform/texts.ts';
import { ItemRow } from '#web/playbooks/item-row.tsx';
import type { PlaybookValues } from '#web/playbooks/playbook-values.ts';
import { useItemOrder } from '#web/playbooks/use-item-order.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface ChecklistItemsFieldProps {
  items: UseFieldArrayReturn<PlaybookValues, 'checklistItems', 'key'>;
  /** Adds the typed text as a new item, trimmed; ignores an empty text. */
  onAdd: () => void;
}

/** Not during a composition, as in Japanese. */
const isEnter = (event: KeyboardEvent) => event.key === 'Enter' && !event.nativeEvent.isComposing;

/** The items of a playbook, each edited in place and moved by its handle. Enter adds one. */
export function ChecklistItemsField({ items, onAdd }: ChecklistItemsFieldProps) {
  const { register, formState } = useFormContext<PlaybookValues>();
  const { fields, remove, move } = items;
  const order = useItemOrder({ keys: fields.map(({ key }) => key), move });
  const errors = formState.errors.checklistItems;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t('playbooks.dialog.items')}</legend>
      {fields.map(({ key }, index) => (
        <ItemRow
          key={key}
          ref={order.rowOf(key)}
          number={index + 1}
          error={errors?.[index]?.text?.message}
          input={register(`checklistItems.${index}.text`)}
          handle={order.handleOf(key)}
          onRemove={() => remove(index)}
        />
      ))}
      <p aria-live="polite" className="sr-only">
        {order.said}
      </p>
      <Field label={t('playbooks.dialog.newItem')} error={errors?.root?.message ?? errors?.message}>
        {(input) => (
          <div className="grid grid-cols-[1fr_auto] gap-2">
            <input
              {...input}
              {...register('newItem')}
              placeholder={t('playbooks.dialog.newItemExample')}
              className={inputClass}
              onKeyDown={(event) => {
                if (!isEnter(event)) return;
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
