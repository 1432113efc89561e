import '#web/platform/webhook-texts.ts';
import { ShieldX } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { RecapsCard } from '#web/notifications/recaps-card.tsx';
import { SlackCard } from '#web/notifications/slack-card.tsx';
import { t } from '#web/platform/texts.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** Who gets recaps by mail, and the Slack channels, for admins. */
export function NotificationsPage() {
  const mayManage = useMay('webhooks.manage');
  return (
    <>
      <title>{`${t('notifications.title')} · ${t('product')}`}</title>
      {mayManage ? (
        <>
          <PageHeader title={t('notifications.title')} subtitle={t('notifications.subtitle')} />
          <div className="grid grid-cols-1 gap-6">
            <RecapsCard />
            <SlackCard />
          </div>
        </>
      ) : (
        <Card>
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('notifications.denied')}</h1>}
            text={t('notifications.deniedText')}
          />
        </Card>
      )}
    </>
  );
}
