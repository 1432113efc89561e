import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface VignetteProps {
  /** What the picture shows, for those who do not see it. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** A part of the product, drawn: a picture for readers and for screen readers alike. */
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

/** A card as the product has them. */
export const MiniCard = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div className={clsx('rounded-xl border bg-card p-4 shadow-lg', className)}>{children}</div>
);
