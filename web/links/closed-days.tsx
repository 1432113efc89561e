import '#web/platform/links-texts.ts';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { WeekValues } from '#web/links/week-values.ts';
import { t } from '#web/platform/texts.ts';
import { locale } from '#web/texts/language.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
const dateText = (day: string) => dates.format(new Date(`${day}T00:00:00Z`));

/** Single days on which the room is closed, regardless of the week. */
export function ClosedDays({ form }: { form: UseFormReturn<WeekValues, unknown, WeekValues> }) {
  const [typed, setTyped] = useState('');
  const days = form.watch('closedDays');
  const change = (next: string[]) =>
    form.setValue('closedDays', [...new Set(next)].sort(), { shouldDirty: true });
  const add = () => {
    if (typed) change([...days, typed]);
    setTyped('');
  };
  return (
    <div className="grid gap-2">
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <Field
            label={t('links.hours.closedDay')}
            error={form.formState.errors.closedDays?.message}
          >
            {(input) => (
              <input
                {...input}
                type="date"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
                className={inputClass}
              />
            )}
          </Field>
        </div>
        <Button look="outline" onClick={add} disabled={typed === ''}>
          {t('links.hours.addDay')}
        </Button>
      </div>
      {days.length > 0 && (
        <ul aria-label={t('links.hours.closedDays')} className="grid gap-1">
          {days.map((day) => (
            <li key={day} className="flex items-center justify-between text-sm">
              {dateText(day)}
              <Button
                look="ghost"
                size="icon"
                className="size-8"
                aria-label={t('links.hours.removeDay', { day: dateText(day) })}
                onClick={() => change(days.filter((other) => other !== day))}
              >
                <X aria-hidden className="size-4" />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
