import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { inputClass } from '#web/ui/field.tsx';

/** A native select, which works with every keyboard, screen reader and phone. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select className={clsx(inputClass, 'appearance-none pr-9', className)} {...rest} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-2.5 right-3 size-4 text-muted-foreground"
      />
    </div>
  );
}
