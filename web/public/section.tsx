import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** The width and padding of every part of a public page. */
export const measure = 'mx-auto w-full max-w-6xl px-5 sm:px-8';

interface SectionProps {
  id?: string;
  title: string;
  lead?: string;
  className?: string;
  children: ReactNode;
}

export function Section({ id, title, lead, className, children }: SectionProps) {
  return (
    <section id={id} className={clsx(measure, 'py-16 sm:py-24', className)}>
      <h2 className="max-w-2xl text-3xl font-semibold tracking-tight sm:text-4xl">{title}</h2>
      {lead && <p className="mt-4 max-w-2xl text-lg text-muted-foreground">{lead}</p>}
      <div className="mt-10 sm:mt-14">{children}</div>
    </section>
  );
}

/** The heading of a page other than the landing page. */
export function PageTop({ title, lead }: { title: string; lead: string }) {
  return (
    <div className={clsx(measure, 'pt-14 sm:pt-24')}>
      <h1 className="max-w-3xl text-4xl leading-[1.08] font-semibold tracking-tight sm:text-6xl">
        {title}
      </h1>
      <p className="mt-6 max-w-2xl text-lg text-muted-foreground sm:text-xl">{lead}</p>
    </div>
  );
}
