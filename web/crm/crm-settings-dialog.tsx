import '#web/platform/crm-texts.ts';
import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { z } from 'zod';
import type { CrmConnection } from '#domain/crm/contract.ts';
import { crmMapping, type TextPart, textParts, vendorNames } from '#domain/crm/mapping.ts';
import type { CrmConnectionId } from '#domain/ids.ts';
import { usePreview, useUpdateCrm } from '#web/crm/queries.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

const part = z.object({ isSent: z.boolean(), property: z.string() });
/** An empty property is sent as null. */
const form = z
  .object({
    notes: part,
    score: part,
    summary: part,
    actionItems: z.object({ isSent: z.boolean() }),
    deletesCalls: z.boolean(),
  })
  .transform(({ deletesCalls, actionItems, ...texts }) => {
    const own = ({ isSent, property }: z.infer<typeof part>) => ({
      isSent,
      property: property.trim() || null,
    });
    const { notes, score, summary } = texts;
    const parts = { notes: own(notes), score: own(score), summary: own(summary) };
    return { deletesCalls, ...parts, actionItems };
  })
  .pipe(z.object({ ...crmMapping.shape, deletesCalls: z.boolean() }));
type Values = z.input<typeof form>;
type Sent = z.output<typeof form>;
const resolver = formResolver(form);

interface CrmSettingsProps {
  id: CrmConnectionId;
  connection: CrmConnection;
  onClose: () => void;
}

/** Chooses what of a call goes to a CRM, and shows what that is. */
export default function CrmSettingsDialog({ id, connection, onClose }: CrmSettingsProps) {
  const name = vendorNames[connection.vendor];
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('crm.form.title', { name })}
      description={t('crm.form.text')}
    >
      <CrmSettingsForm id={id} connection={connection} onClose={onClose} />
    </FormDialog>
  );
}

function CrmSettingsForm({ id, connection, onClose }: CrmSettingsProps) {
  const { vendor, settings } = connection;
  const { mutateAsync, isPending } = useUpdateCrm(id);
  const preview = usePreview(id);
  const draftForm = useDraftForm({
    draft: `crm:${vendor}`,
    resolver,
    values: valuesOf(settings),
    send: ({ deletesCalls, ...mapping }: Sent) => mutateAsync({ mapping, deletesCalls }),
    onSent: onClose,
  });
  const { register, formState, handleSubmit } = draftForm.form;
  const showPreview = handleSubmit(({ deletesCalls: _, ...mapping }) => preview.mutate(mapping));
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('crm.form.save'), pending: t('crm.form.saving') }}
    >
      {textParts.map((one) => (
        <PartFields key={one} part={one} register={register} errors={formState.errors} />
      ))}
      <Choice label={t('crm.form.actionItems')} input={register('actionItems.isSent')} />
      <SwitchField
        label={t('crm.form.deletesCalls')}
        hint={t('crm.form.deletesCallsHint', { name: vendorNames[vendor] })}
      >
        {(input) => <input {...input} {...register('deletesCalls')} />}
      </SwitchField>
      <div>
        <Button
          look="outline"
          size="small"
          disabled={preview.isPending}
          onClick={() => void showPreview()}
        >
          {t('crm.form.preview')}
        </Button>
        {preview.data && <Preview shown={preview.data} name={vendorNames[vendor]} />}
      </div>
    </DraftForm>
  );
}

function valuesOf(settings: CrmConnection['settings']): Values {
  const of = (name: TextPart) => ({
    isSent: settings?.mapping[name].isSent ?? true,
    property: settings?.mapping[name].property ?? '',
  });
  return {
    notes: of('notes'),
    score: of('score'),
    summary: of('summary'),
    actionItems: settings?.mapping.actionItems ?? { isSent: true },
    deletesCalls: settings?.deletesCalls ?? false,
  };
}

interface PartFieldsProps {
  part: TextPart;
  register: UseFormRegister<Values>;
  errors: FieldErrors<Values>;
}

function PartFields({ part: name, register, errors }: PartFieldsProps) {
  const label = t(`crm.form.${name}`);
  return (
    <fieldset className="grid gap-1.5">
      <legend className="sr-only">{label}</legend>
      <Choice label={label} input={register(`${name}.isSent`)} />
      <Field
        label={t('crm.form.property', { part: label })}
        note={t('auth.fields.optional')}
        hint={t('crm.form.propertyHint')}
        error={errors[name]?.property?.message}
      >
        {(input) => (
          <input
            {...input}
            {...register(`${name}.property`)}
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
    </fieldset>
  );
}

function Choice({ label, input }: { label: string; input: object }) {
  return (
    <label className="flex min-h-8 items-center gap-2.5 text-sm font-medium">
      <input type="checkbox" {...input} className="size-4 shrink-0 accent-brand-edge" />
      {label}
    </label>
  );
}

interface PreviewProps {
  shown: NonNullable<ReturnType<typeof usePreview>['data']>;
  name: string;
}

function Preview({ shown: { topic, fields, tasks }, name }: PreviewProps) {
  if (topic === null)
    return (
      <p role="status" className="mt-3 text-sm text-muted-foreground">
        {t('crm.form.noCall')}
      </p>
    );
  return (
    <section className="mt-3 rounded-md border p-3 text-sm" aria-live="polite">
      <h3 className="font-medium">{t('crm.form.previewOf', { topic, name })}</h3>
      <dl className="mt-2 grid gap-2">
        {fields.map((field) => (
          <div key={field.name}>
            <dt className="font-mono text-xs text-muted-foreground">{field.name}</dt>
            <dd className="max-h-48 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
              {field.value}
            </dd>
          </div>
        ))}
        {tasks.length > 0 && (
          <div>
            <dt className="text-xs text-muted-foreground">{t('crm.form.tasks')}</dt>
            {tasks.map((title, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be the same, and the list does not change
              <dd key={at} className="wrap-anywhere">
                {title}
              </dd>
            ))}
          </div>
        )}
      </dl>
    </section>
  );
}
