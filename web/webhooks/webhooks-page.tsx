import '#web/platform/webhook-texts.ts';
import { ShieldX } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { WebhooksCard } from '#web/webhooks/webhooks-card.tsx';

/** The addresses to which the organization's events are sent, and what was sent to them, for admins. */
export function WebhooksPage() {
  const mayManage = useMay('webhooks.manage');
  return (
    <>
      <title>{`${t('webhooks.title')} · ${t('product')}`}</title>
      {mayManage ? (
        <>
          <PageHeader title={t('webhooks.title')} subtitle={t('webhooks.subtitle')} />
          <WebhooksCard />
        </>
      ) : (
        <Card>
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('webhooks.denied')}</h1>}
            text={t('webhooks.deniedText')}
          />
        </Card>
      )}
    </>
  );
}
