import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

interface LifeFieldProps {
  /** Days. */
  lives: readonly number[];
  /** Registers the field with what reads the value of a select. */
  register: (options: { setValueAs: (value: unknown) => number | null }) => UseFormRegisterReturn;
  texts: { label: string; days: (count: number) => string; forever: string };
  error: string | undefined;
}

/** In how many days a token expires; null for never. */
export function LifeField({ lives, register, texts, error }: LifeFieldProps) {
  const setValueAs = (value: unknown) =>
    lives.find((days) => String(days) === String(value)) ?? null;
  return (
    <Field label={texts.label} error={error}>
      {(input) => (
        <Select {...input} {...register({ setValueAs })}>
          {lives.map((days) => (
            <option key={days} value={days}>
              {texts.days(days)}
            </option>
          ))}
          <option value="">{texts.forever}</option>
        </Select>
      )}
    </Field>
  );
}
