import { Compass } from 'lucide-react';
import { Link } from 'react-router';
import { t } from '#web/platform/texts.ts';
import { buttonClass } from '#web/ui/button.tsx';

export function NotFoundPage() {
  return (
    <main className="grid min-h-[80dvh] place-content-center justify-items-center gap-4 p-6 text-center">
      <title>{`${t('notFound.title')} · ${t('product')}`}</title>
      <Compass aria-hidden className="size-8 text-muted-foreground" />
      <div>
        <h1 className="text-xl font-semibold tracking-tight">{t('notFound.title')}</h1>
        <p className="mt-1 text-sm text-muted-foreground">{t('notFound.text')}</p>
      </div>
      <Link to="/app" className={buttonClass({ look: 'outline' })}>
        {t('notFound.home')}
      </Link>
    </main>
  );
}
