import '#web/platform/webhook-texts.ts';
import { Inbox, RefreshCw } from 'lucide-react';
import type { Webhook, WebhookDelivery } from '#domain/webhooks/contract.ts';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { Badge, type BadgeLook } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { DeliveryDialog } from '#web/webhooks/delivery-dialog.tsx';
import { useDeliveries, useRefreshWebhooks } from '#web/webhooks/queries.ts';

const looks: Record<WebhookDelivery['state'], BadgeLook> = {
  waiting: 'secondary',
  delivered: 'success',
  failed: 'destructive',
  gone: 'outline',
};

interface DeliveriesCardProps {
  id: Webhook['id'];
  /** Of the webhook. */
  name: string;
  isEnabled: boolean;
}

/** What was sent to a webhook, or to a Slack channel. */
export function DeliveriesCard({ id: webhook, name, isEnabled }: DeliveriesCardProps) {
  const pages = useDeliveries({ id: webhook });
  const refresh = useRefreshWebhooks();
  const dialog = useAddressDialog('delivery');
  const columns: Column<WebhookDelivery>[] = [
    {
      title: t('webhooks.deliveries.event'),
      stacked: 'line',
      cell: ({ id, type }) => (
        <button
          type="button"
          className="text-left font-medium hover:underline"
          onClick={() => dialog.open(id)}
        >
          {t(`webhooks.type.${type}`)}
        </button>
      ),
    },
    {
      title: t('webhooks.deliveries.state'),
      stacked: 'bare',
      cell: ({ state, lastStatus, nextTryAt, attempts }) => (
        <span className="flex flex-wrap items-center gap-2">
          <Badge look={looks[state]}>{t(`webhooks.state.${state}`)}</Badge>
          {lastStatus !== null && <span className="tabular-nums">{lastStatus}</span>}
          {nextTryAt && attempts > 0 && (
            <span className="text-muted-foreground">
              {t('webhooks.deliveries.next', { time: formatDateTime(nextTryAt) })}
            </span>
          )}
        </span>
      ),
    },
    { title: t('webhooks.deliveries.attempts'), cell: ({ attempts }) => attempts },
    {
      title: t('webhooks.deliveries.time'),
      cell: ({ createdAt }) => (
        <span className="text-muted-foreground">{formatDateTime(createdAt)}</span>
      ),
    },
  ];
  return (
    <Card className="min-w-0">
      <CardHeader
        title={t('webhooks.logOf', { name })}
        action={
          <Button look="outline" size="small" onClick={refresh}>
            <RefreshCw aria-hidden className="size-4" />
            {t('webhooks.deliveries.refresh')}
          </Button>
        }
      />
      <PagedRows
        pages={pages}
        empty={
          <EmptyState
            icon={Inbox}
            title={t('webhooks.deliveries.empty')}
            text={t('webhooks.deliveries.emptyText')}
          />
        }
        texts={{ loadMore: t('webhooks.deliveries.loadMore'), loadingMore: t('common.loading') }}
      >
        {(rows) => (
          <Table
            label={t('webhooks.logOf', { name })}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            stacks
          />
        )}
      </PagedRows>
      {dialog.value && (
        <DeliveryDialog
          id={dialog.value as WebhookDelivery['id']}
          isEnabled={isEnabled}
          onClose={dialog.close}
        />
      )}
    </Card>
  );
}
