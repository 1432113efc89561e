import { CreditCard } from 'lucide-react';
import { Link } from 'react-router';
import { t } from '#web/platform/texts.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

/** Without a card provider there is nothing to pay, and no limit binds. */
export function NotSetUp({ mayManage }: { mayManage: boolean }) {
  return (
    <Card className="flex flex-wrap items-start gap-x-4 gap-y-3 p-5">
      <span className="grid size-9 place-items-center rounded-lg bg-muted text-muted-foreground">
        <CreditCard aria-hidden className="size-4.5" />
      </span>
      <div className="grid min-w-56 flex-1 gap-1.5">
        <h2 className="text-sm font-semibold">{t('billing.notSetUp.title')}</h2>
        <p className="text-sm text-muted-foreground">{t('billing.notSetUp.text')}</p>
      </div>
      {mayManage && (
        <Link to="/app/settings" className={buttonClass({ look: 'outline' })}>
          {t('billing.notSetUp.settings')}
        </Link>
      )}
    </Card>
  );
}
