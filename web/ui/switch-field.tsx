import { type ReactNode, useId } from 'react';

interface SwitchFieldProps {
  label: string;
  hint: string;
  children: (input: {
    id: string;
    type: 'checkbox';
    role: 'switch';
    className: string;
    'aria-describedby': string;
  }) => ReactNode;
}

/** A switch with a sentence that explains it. The whole row toggles it. */
export function SwitchField({ label, hint, children }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id} className="grid flex-1 gap-0.5 text-sm">
        <span className="font-medium">{label}</span>
        <span id={`${id}-hint`} className="text-muted-foreground">
          {hint}
        </span>
      </label>
      {children({
        id,
        type: 'checkbox',
        role: 'switch',
        className: switchClass,
        'aria-describedby': `${id}-hint`,
      })}
    </div>
  );
}

const switchClass =
  'relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-muted-foreground bg-muted transition-colors ' +
  "before:absolute before:top-0.75 before:left-0.75 before:size-4 before:rounded-full before:bg-muted-foreground before:transition-transform before:content-[''] " +
  'checked:border-brand-edge checked:bg-brand checked:before:translate-x-4 checked:before:bg-brand-text';
