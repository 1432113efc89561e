import {
  type CaptureKind,
  type CaptureMode,
  captureMode,
  captureModes,
} from '#domain/consent/capture.ts';
import { t } from '#web/platform/texts.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

interface ModeFieldProps {
  kind: CaptureKind;
  value: CaptureMode | null;
  /** The organization's mode, for a room that may follow it. */
  followed?: CaptureMode;
  disabled: boolean;
  onChange: (mode: CaptureMode | null) => void;
}

/** A choice that is saved as soon as it is made. */
export function ModeField({ kind, value, followed, disabled, onChange }: ModeFieldProps) {
  return (
    <Field label={t(`capture.kinds.${kind}`)}>
      {(input) => (
        <Select
          {...input}
          value={value ?? ''}
          disabled={disabled}
          onChange={({ target }) => onChange(captureMode.safeParse(target.value).data ?? null)}
        >
          {followed && (
            <option value="">
              {t('capture.follows', { mode: t(`capture.modes.${followed}`) })}
            </option>
          )}
          {captureModes.map((mode) => (
            <option key={mode} value={mode}>
              {t(`capture.modes.${mode}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
