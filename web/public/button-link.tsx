import { clsx } from 'clsx';
import type { ReactNode } from 'react';

const looks = {
  primary: 'bg-brand text-brand-text hover:bg-brand-hover',
  outline: 'border bg-card text-foreground hover:bg-muted',
  glass: 'border border-white/25 bg-white/10 text-white hover:bg-white/20',
} as const;
const sizes = { regular: 'min-h-12 px-6 text-base', small: 'min-h-10 px-4 text-sm' } as const;

export const buttonLook = (
  look: keyof typeof looks = 'primary',
  size: keyof typeof sizes = 'regular',
) =>
  clsx(
    'inline-flex items-center justify-center gap-2 rounded-lg py-2 text-center font-medium transition-[filter,background-color]',
    looks[look],
    sizes[size],
  );

interface ButtonLinkProps {
  href: string;
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
  className?: string;
  children: ReactNode;
}

export const ButtonLink = ({ href, look, size, className, children }: ButtonLinkProps) => (
  <a href={href} className={clsx(buttonLook(look, size), className)}>
    {children}
  </a>
);

export const TextLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a
    href={href}
    className="font-medium text-foreground underline decoration-brand decoration-2 underline-offset-4 hover:decoration-4"
  >
    {children}
  </a>
);
