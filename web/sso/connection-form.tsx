import { FormProvider } from 'react-hook-form';
import { type SsoConnection, updateConnectionBody } from '#domain/sso/contract.ts';
import { isRefusal } from '#web/platform/api.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import type { ConnectionValues } from '#web/sso/connection-values.ts';
import { CopyLine } from '#web/sso/copy-line.tsx';
import { OidcFields, SamlFields } from '#web/sso/provider-fields.tsx';
import { useUpdateConnection } from '#web/sso/queries.ts';
import { RoleFields } from '#web/sso/role-fields.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

const resolver = formResolver(updateConnectionBody);

const valuesOf = (connection: SsoConnection): ConnectionValues => ({
  name: connection.name,
  enabled: connection.enabled,
  allowIdpInitiated: connection.allowIdpInitiated,
  defaultRole: connection.defaultRole,
  roleClaim: connection.roleClaim ?? '',
  roleRules: connection.roleRules,
  issuer: connection.issuer ?? '',
  clientId: connection.clientId ?? '',
  clientSecret: '',
  metadata: '',
  metadataUrl: '',
  entityId: connection.entityId ?? '',
  ssoUrl: connection.ssoUrl ?? '',
  certificate: '',
});

interface ConnectionFormProps {
  connection: SsoConnection;
  onSaved: () => void;
}

/** The values for the identity provider, the values from it, and the role rules. */
export function ConnectionForm({ connection, onSaved }: ConnectionFormProps) {
  const { mutateAsync, isPending } = useUpdateConnection(connection.id);
  const { form, submit, failure, isRestored, startOver, close } = useDraftForm({
    draft: `sso-connection:${connection.id}`,
    resolver,
    values: valuesOf(connection),
    send: (body) => mutateAsync(body),
    onSent: onSaved,
  });
  const { register } = form;
  const isSaml = connection.kind === 'saml';
  const refusal = isRefusal(failure) ? failure.serverMessage : undefined;
  return (
    <FormProvider {...form}>
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <RestoredNote shown={isRestored} startOver={startOver} />
        <Ours connection={connection} />
        <fieldset className="grid gap-4">
          <legend className="mb-3 text-sm font-semibold">{t('sso.form.theirs')}</legend>
          {isSaml ? <SamlFields connection={connection} /> : <OidcFields connection={connection} />}
        </fieldset>
        <RoleFields />
        {isSaml && (
          <SwitchField
            label={t('sso.form.allowIdpInitiated')}
            hint={t('sso.form.allowIdpInitiatedHint')}
          >
            {(input) => <input {...input} {...register('allowIdpInitiated')} />}
          </SwitchField>
        )}
        <SwitchField label={t('sso.form.enabled')} hint={t('sso.form.enabledHint')}>
          {(input) => <input {...input} {...register('enabled')} />}
        </SwitchField>
        <SubmitFailure failure={failure} />
        {refusal && (
          <p role="alert" className="text-sm text-destructive">
            {refusal}
          </p>
        )}
        <DialogActions>
          <Button look="outline" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={isPending}>
            {isPending ? t('sso.form.saving') : t('sso.form.save')}
          </Button>
        </DialogActions>
      </form>
    </FormProvider>
  );
}

function Ours({ connection: { kind, answerUrl, ourEntityId } }: { connection: SsoConnection }) {
  return (
    <section className="grid gap-3 rounded-lg bg-muted/60 p-4">
      <h3 className="text-sm font-semibold">{t('sso.form.ours')}</h3>
      <CopyLine
        label={kind === 'saml' ? t('sso.form.acsUrl') : t('sso.form.redirectUri')}
        value={answerUrl}
        copy={t('sso.form.copy')}
      />
      {ourEntityId && (
        <>
          <CopyLine label={t('sso.form.entityId')} value={ourEntityId} copy={t('sso.form.copy')} />
          <a href={ourEntityId} download className="w-fit rounded text-sm underline">
            {t('sso.form.metadata')}
          </a>
        </>
      )}
    </section>
  );
}
