import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface VignetteProps {
  /** The text alternative of the picture. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** A drawing of a part of the product, which screen readers get as one picture. */
export const Vignette = ({ label, className, children }: VignetteProps) => (
  <div
    role="img"
    aria-label={label}
    className={clsx(
      'relative grid min-h-72 place-items-center overflow-hidden rounded-2xl border bg-muted p-6 text-sm sm:p-8',
      className,
    )}
  >
    <div aria-hidden className="w-full max-w-sm select-none">
      {children}
    </div>
  </div>
);

/** A card in the product's style. */
export const MiniCard = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div className={clsx('rounded-xl border bg-card p-4 shadow-lg', className)}>{children}</div>
);
