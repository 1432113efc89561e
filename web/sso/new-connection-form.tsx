import type { z } from 'zod';
import { createConnectionBody, type SsoConnection, ssoKinds } from '#domain/sso/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useCreateConnection } from '#web/sso/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const resolver = formResolver(createConnectionBody);
const empty: z.input<typeof createConnectionBody> = { kind: 'oidc', name: '' };

export function NewConnectionForm({ onMade }: { onMade: (made: SsoConnection) => void }) {
  const { mutateAsync, isPending } = useCreateConnection();
  const { form, submit, failure, isRestored, startOver, close } = useDraftForm({
    draft: 'sso-connection:new',
    resolver,
    values: empty,
    send: (body) => mutateAsync(body),
    onSent: onMade,
  });
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <RestoredNote shown={isRestored} startOver={startOver} />
      <Field
        label={t('sso.connections.name')}
        hint={t('sso.connections.nameHint')}
        error={errors.name?.message}
      >
        {(input) => (
          <input {...input} {...register('name')} autoComplete="off" className={inputClass} />
        )}
      </Field>
      <Field label={t('sso.connections.kind')} error={errors.kind?.message}>
        {(input) => (
          <Select {...input} {...register('kind')}>
            {ssoKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`sso.connections.kinds.${kind}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <SubmitFailure failure={failure} />
      <DialogActions>
        <Button look="outline" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('sso.connections.creating') : t('sso.connections.create')}
        </Button>
      </DialogActions>
    </form>
  );
}
