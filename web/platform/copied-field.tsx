import { CopyButton } from '#web/platform/copy-button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface CopiedFieldProps {
  label: string;
  hint: string;
  value: string;
  /** Of the button, and what a toast says once it is copied. */
  texts: { copy: string; copied: string };
}

/** A text to copy, which cannot be changed. */
export function CopiedField({ label, hint, value, texts }: CopiedFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(input) => (
        <div className="grid grid-cols-[1fr_auto] items-center gap-2">
          <input
            {...input}
            readOnly
            value={value}
            onFocus={(event) => event.target.select()}
            className={inputClass}
          />
          <CopyButton label={texts.copy} done={texts.copied} text={() => value} />
        </div>
      )}
    </Field>
  );
}
