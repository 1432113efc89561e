import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

export type ButtonLook = 'primary' | 'outline' | 'ghost' | 'destructive';

const looks: Record<ButtonLook, string> = {
  primary:
    'bg-brand text-brand-text shadow-xs inset-ring inset-ring-brand-edge hover:bg-brand-hover',
  outline: 'border bg-card text-foreground shadow-xs hover:bg-muted',
  ghost: 'text-muted-foreground hover:bg-muted hover:text-foreground',
  destructive: 'bg-destructive text-destructive-text shadow-xs hover:brightness-110',
};
const sizes = {
  regular: 'h-9 gap-2 px-3.5 text-sm',
  small: 'h-8 gap-1.5 px-2.5 text-sm',
  icon: 'size-9',
};

interface Look {
  look?: ButtonLook;
  size?: keyof typeof sizes;
}

/** The classes of a button, for a link that looks like one. */
export const buttonClass = ({ look = 'primary', size = 'regular' }: Look = {}) =>
  clsx(
    'inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap select-none',
    'transition-[filter,background-color,color] duration-100 disabled:pointer-events-none disabled:opacity-50',
    looks[look],
    sizes[size],
  );

export function Button({
  look = 'primary',
  size = 'regular',
  type = 'button',
  className,
  ...rest
}: ComponentProps<'button'> & Look) {
  return <button type={type} className={clsx(buttonClass({ look, size }), className)} {...rest} />;
}
