import type { ReactNode } from 'react';
import { t } from '#web/platform/texts.ts';
import { Card } from '#web/ui/card.tsx';

interface PublicCardProps {
  title: string;
  text: string;
  children?: ReactNode;
}

/** The page for people who follow a link without an account or a session. */
export function PublicCard({ title, text, children }: PublicCardProps) {
  return (
    <main className="grid min-h-dvh content-center justify-items-center px-4 py-10">
      <title>{`${title} · ${t('product')}`}</title>
      <div className="w-full max-w-md">
        <p className="mb-6 flex items-center justify-center gap-2.5 text-base font-semibold tracking-tight">
          <img src="/icon.svg" alt="" className="size-7" />
          {t('product')}
        </p>
        <Card className="p-6 sm:p-8">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          <p className="mt-1 text-sm text-muted-foreground">{text}</p>
          {children && <div className="mt-6">{children}</div>}
        </Card>
      </div>
    </main>
  );
}
