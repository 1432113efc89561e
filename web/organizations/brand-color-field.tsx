import { useFormContext, useWatch } from 'react-hook-form';
import { updateOrganizationBody } from '#domain/organizations/contract.ts';
import { BrandPreview } from '#web/organizations/brand-preview.tsx';
import type { SettingsValues } from '#web/organizations/settings-values.ts';
import { t } from '#web/platform/texts.ts';
import { Field, inputClass } from '#web/ui/field.tsx';

const isColor = (text: string) => updateOrganizationBody.shape.brandColor.safeParse(text).success;

/** The color as text and as a picker, with a preview. Shows `saved` while the text is not a color. */
export function BrandColorField({ saved }: { saved: string }) {
  const { register, setValue, formState } = useFormContext<SettingsValues>();
  const { isSubmitted, errors } = formState;
  const typed = useWatch<SettingsValues, 'brandColor'>({ name: 'brandColor' });
  const color = isColor(typed) ? typed : saved;
  return (
    <>
      <Field
        label={t('settings.brandColor')}
        hint={t('settings.brandColorHint')}
        error={errors.brandColor?.message}
      >
        {(input) => (
          <div className="flex gap-2">
            <input
              type="color"
              aria-label={t('settings.pickColor')}
              value={color.toLowerCase()}
              onChange={({ target }) =>
                setValue('brandColor', target.value, {
                  shouldDirty: true,
                  shouldValidate: isSubmitted,
                })
              }
              className="h-9 w-12 shrink-0 cursor-pointer rounded-md border bg-background p-1 disabled:cursor-default disabled:opacity-60"
            />
            <input
              {...input}
              {...register('brandColor')}
              spellCheck={false}
              autoComplete="off"
              className={inputClass}
            />
          </div>
        )}
      </Field>
      <BrandPreview color={color} />
    </>
  );
}
