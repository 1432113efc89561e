import '#web/platform/links-texts.ts';
import type { RoomId } from '#domain/ids.ts';
import type { GuestAccess } from '#domain/links/contract.ts';
import { ClosedDays } from '#web/links/closed-days.tsx';
import { DayRow } from '#web/links/day-row.tsx';
import { useChangeGuestAccess } from '#web/links/queries.ts';
import { hoursOf, weekForm, weekValuesOf } from '#web/links/week-values.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

const resolver = formResolver(weekForm);
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

interface OpeningHoursFormProps {
  id: RoomId;
  saved: GuestAccess['openingHours'];
}

export function OpeningHoursForm({ id, saved }: OpeningHoursFormProps) {
  const { mutateAsync, isPending } = useChangeGuestAccess(id);
  const draftForm = useDraftForm({
    draft: `hours:${id}`,
    resolver,
    values: weekValuesOf(saved, ownZone()),
    send: (values) => mutateAsync({ openingHours: hoursOf(values) }),
    onSent: () => {},
  });
  const { form } = draftForm;
  const { register, watch, formState } = form;
  const { isLimited, timeZone } = watch();
  const { errors } = formState;
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('links.access.save'), pending: t('links.access.saving') }}
      isInPage
    >
      <SwitchField label={t('links.hours.limit')} hint={t('links.hours.limitText')}>
        {(input) => <input {...input} {...register('isLimited')} />}
      </SwitchField>
      {isLimited && (
        <>
          <Field label={t('links.hours.zone')} error={errors.timeZone?.message}>
            {(input) => (
              <Select {...input} {...register('timeZone')} value={timeZone}>
                {zones.map((zone) => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll('_', ' ')}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <div className="grid grid-cols-1 divide-y rounded-lg border">
            {[0, 1, 2, 3, 4, 5, 6].map((index) => (
              <DayRow key={index} form={form} index={index} />
            ))}
          </div>
          {errors.days?.message && (
            <p role="alert" className="text-sm text-destructive">
              {errors.days.message}
            </p>
          )}
          <ClosedDays form={form} />
        </>
      )}
    </DraftForm>
  );
}
