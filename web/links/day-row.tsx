import '#web/platform/links-texts.ts';
import { Plus, X } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import { longWeekday } from '#web/links/hours-text.ts';
import type { WeekValues } from '#web/links/week-values.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/field.tsx';

interface DayRowProps {
  form: UseFormReturn<WeekValues, unknown, WeekValues>;
  index: number;
}

/** One weekday: closed, or open in one or two spans. */
export function DayRow({ form, index }: DayRowProps) {
  const { register, watch, setValue, formState } = form;
  const day = longWeekday(index);
  const { isOpen, hasSecond } = watch(`days.${index}`);
  const errors = formState.errors.days?.[index];
  const message = (errors?.from ?? errors?.to ?? errors?.from2 ?? errors?.to2)?.message;
  const second = (on: boolean) =>
    setValue(`days.${index}.hasSecond`, on, { shouldDirty: true, shouldValidate: on });
  return (
    <div className="grid grid-cols-1 gap-2 px-3 py-2 sm:grid-cols-[7.5rem_minmax(0,1fr)]">
      <label className="flex h-9 items-center gap-2.5 text-sm">
        <input
          type="checkbox"
          {...register(`days.${index}.isOpen`)}
          aria-label={t('links.hours.day', { day })}
          className="size-4 accent-brand"
        />
        {day}
      </label>
      {!isOpen && (
        <p className="flex h-9 items-center text-sm text-muted-foreground max-sm:hidden">
          {t('links.hours.closed')}
        </p>
      )}
      {isOpen && (
        <div className="grid gap-2">
          <div className="flex items-center gap-2">
            <Time {...register(`days.${index}.from`)} aria-label={t('links.hours.from', { day })} />
            <span aria-hidden>–</span>
            <Time {...register(`days.${index}.to`)} aria-label={t('links.hours.to', { day })} />
            {!hasSecond && (
              <IconButton label={t('links.hours.addSpan', { day })} onClick={() => second(true)}>
                <Plus aria-hidden className="size-4" />
              </IconButton>
            )}
          </div>
          {hasSecond && (
            <div className="flex items-center gap-2">
              <Time
                {...register(`days.${index}.from2`)}
                aria-label={t('links.hours.from2', { day })}
              />
              <span aria-hidden>–</span>
              <Time {...register(`days.${index}.to2`)} aria-label={t('links.hours.to2', { day })} />
              <IconButton
                label={t('links.hours.removeSpan', { day })}
                onClick={() => second(false)}
              >
                <X aria-hidden className="size-4" />
              </IconButton>
            </div>
          )}
          {message && (
            <p role="alert" className="text-sm text-destructive">
              {message}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

const Time = (props: React.ComponentProps<'input'>) => (
  <input type="time" required className={`${inputClass} min-w-0 max-w-32 px-2`} {...props} />
);

function IconButton({ label, ...rest }: { label: string } & React.ComponentProps<typeof Button>) {
  return <Button look="ghost" size="icon" className="size-8" aria-label={label} {...rest} />;
}
