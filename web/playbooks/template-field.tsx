import { useFormContext } from 'react-hook-form';
import { t } from '#web/platform/texts.ts';
import { emptyPlaybook, type PlaybookValues } from '#web/playbooks/playbook-values.ts';
import { templates } from '#web/playbooks/templates.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const blank = 'blank';
const choices = templates.map(({ name, title, description, steps }) => ({
  name,
  values: { title, description, checklistItems: steps.map((text) => ({ text })) },
}));

/** Fills in the form from a template. Disappears once something else was typed, which it would replace. */
export function TemplateField() {
  const { watch, setValue } = useFormContext<PlaybookValues>();
  const typed = watch();
  const chosen = choices.find(({ values }) => isLike(typed, values));
  if (!chosen && !isLike(typed, emptyPlaybook)) return null;
  const fillIn = (name: string) => {
    const { values } = choices.find((choice) => choice.name === name) ?? { values: emptyPlaybook };
    for (const field of ['title', 'description', 'checklistItems'] as const)
      setValue(field, values[field], { shouldDirty: true });
  };
  return (
    <Field label={t('playbooks.templates.field')} note={t('auth.fields.optional')}>
      {(input) => (
        <Select
          {...input}
          value={chosen?.name ?? blank}
          onChange={({ currentTarget }) => fillIn(currentTarget.value)}
        >
          <option value={blank}>{t('playbooks.templates.blank')}</option>
          {choices.map(({ name, values }) => (
            <option key={name} value={name}>
              {values.title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function isLike(
  typed: PlaybookValues,
  values: Pick<PlaybookValues, 'title' | 'description' | 'checklistItems'>,
): boolean {
  const items = (of: typeof values) => of.checklistItems.map(({ text }) => text).join('\n');
  return (
    typed.newItem === '' &&
    typed.title === values.title &&
    typed.description === values.description &&
    items(typed) === items(values)
  );
}
