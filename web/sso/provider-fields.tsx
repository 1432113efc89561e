import { useFormContext } from 'react-hook-form';
import type { SsoConnection } from '#domain/sso/contract.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import type { ConnectionValues } from '#web/sso/connection-values.ts';
import { Field, inputClass } from '#web/ui/field.tsx';

type TextName =
  | 'issuer'
  | 'clientId'
  | 'clientSecret'
  | 'metadataUrl'
  | 'entityId'
  | 'ssoUrl'
  | 'metadata'
  | 'certificate';

interface TextFieldProps {
  name: TextName;
  label: string;
  hint?: string | undefined;
  type?: 'text' | 'url' | 'password';
  rows?: number;
}

const areaClass = `${inputClass} h-auto py-2 font-mono text-xs`;

function TextField({ name, label, hint, type = 'text', rows }: TextFieldProps) {
  const { register, formState } = useFormContext<ConnectionValues>();
  return (
    <Field label={label} hint={hint} error={formState.errors[name]?.message}>
      {(input) =>
        rows ? (
          <textarea
            {...input}
            {...register(name)}
            rows={rows}
            spellCheck={false}
            className={areaClass}
          />
        ) : (
          <input
            {...input}
            {...register(name)}
            type={type}
            autoComplete={type === 'password' ? 'new-password' : 'off'}
            spellCheck={false}
            className={inputClass}
          />
        )
      }
    </Field>
  );
}

export function OidcFields({ connection }: { connection: SsoConnection }) {
  return (
    <>
      <TextField
        name="issuer"
        type="url"
        label={t('sso.form.issuer')}
        hint={t('sso.form.issuerHint')}
      />
      <TextField name="clientId" label={t('sso.form.clientId')} />
      <TextField
        name="clientSecret"
        type="password"
        label={t('sso.form.clientSecret')}
        hint={connection.hasSecret ? t('sso.form.secretKept') : undefined}
      />
    </>
  );
}

export function SamlFields({ connection }: { connection: SsoConnection }) {
  const [stored] = connection.certificates;
  const kept = stored && { subject: stored.subject, date: formatDateTime(stored.validUntil) };
  return (
    <>
      <TextField name="metadataUrl" type="url" label={t('sso.form.metadataUrl')} />
      <TextField name="metadata" rows={3} label={t('sso.form.metadataXml')} />
      <MetadataFile />
      <details open={connection.complete} className="group">
        <summary className="w-fit cursor-pointer rounded text-sm font-medium">
          {t('sso.form.single')}
        </summary>
        <div className="mt-4 grid gap-4">
          <TextField name="entityId" label={t('sso.form.theirEntityId')} />
          <TextField name="ssoUrl" type="url" label={t('sso.form.ssoUrl')} />
          <TextField
            name="certificate"
            rows={3}
            label={t('sso.form.certificate')}
            hint={kept ? t('sso.form.certificateKept', kept) : undefined}
          />
        </div>
      </details>
    </>
  );
}

/** Reads a file into the field above it. */
function MetadataFile() {
  const { setValue } = useFormContext<ConnectionValues>();
  const read = async (file: File | undefined) => {
    if (file) setValue('metadata', await file.text(), { shouldDirty: true, shouldValidate: true });
  };
  return (
    <Field label={t('sso.form.metadataFile')}>
      {(input) => (
        <input
          {...input}
          type="file"
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          onChange={(event) => void read(event.target.files?.[0])}
          className="text-sm"
        />
      )}
    </Field>
  );
}
