import { type ReactNode, useId } from 'react';

export const inputClass =
  'h-9 w-full rounded-md border border-field-border bg-background px-3 text-sm placeholder:text-muted-foreground/80 ' +
  'aria-invalid:border-destructive disabled:opacity-60 dark:bg-background';

/** The attributes by which a field names and describes its input. */
export interface FieldInput {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby'?: string;
}

interface FieldProps {
  label: string;
  note?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  children: (input: FieldInput) => ReactNode;
}

/** A labeled input with its hint and its error. */
export function Field({ label, note, hint, error, children }: FieldProps) {
  const id = useId();
  const messageId = `${id}-message`;
  const message = error ?? hint;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="flex justify-between text-sm font-medium">
        {label}
        {note && <span className="font-normal text-muted-foreground">{note}</span>}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        ...(message ? { 'aria-describedby': messageId } : {}),
      })}
      {message && (
        <p
          id={messageId}
          role={error ? 'alert' : undefined}
          className={error ? 'text-sm text-destructive' : 'text-sm text-muted-foreground'}
        >
          {message}
        </p>
      )}
    </div>
  );
}
