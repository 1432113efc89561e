import '#web/platform/webhook-texts.ts';
import type { ReactNode } from 'react';
import type { DeliveryDetails } from '#domain/webhooks/contract.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useDelivery, useReplay } from '#web/webhooks/queries.ts';

interface DeliveryDialogProps {
  id: DeliveryDetails['id'];
  isEnabled: boolean;
  onClose: () => void;
}

/** One delivery: its request, each attempt, and Replay. */
export function DeliveryDialog({ id, isEnabled, onClose }: DeliveryDialogProps) {
  const { data, error, refetch } = useDelivery({ id });
  const replay = useReplay({ id });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={data ? t(`webhooks.type.${data.type}`) : t('webhooks.delivery.title')}
      closeLabel={t('common.close')}
    >
      {error && !data ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : data ? (
        <Details delivery={data} />
      ) : (
        <Skeleton className="h-64" />
      )}
      <DialogActions>
        <Button look="outline" onClick={onClose}>
          {t('common.close')}
        </Button>
        <Button
          disabled={!data?.request.body || !isEnabled || replay.isPending}
          onClick={() => replay.mutate(undefined)}
        >
          {t('webhooks.delivery.replay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Details({ delivery: { eventId, request, log } }: { delivery: DeliveryDetails }) {
  return (
    <div className="grid grid-cols-1 gap-5 text-sm">
      <Part title={t('webhooks.delivery.id')}>
        <code className="text-xs wrap-anywhere">{eventId}</code>
      </Part>
      <Part title={t('webhooks.delivery.request')}>
        <code className="text-xs wrap-anywhere">{`POST ${request.url}`}</code>
        {request.body === null ? (
          <p className="text-muted-foreground">{t('webhooks.delivery.requestGone')}</p>
        ) : (
          <>
            <Code text={JSON.stringify(JSON.parse(request.body), null, 2)} />
            <p className="text-muted-foreground">{t('webhooks.delivery.requestText')}</p>
          </>
        )}
      </Part>
      <Part title={t('webhooks.delivery.attempts')}>
        {log.length === 0 && (
          <p className="text-muted-foreground">{t('webhooks.delivery.noAttempts')}</p>
        )}
        <ul className="grid grid-cols-1 gap-3">
          {log.map(({ id, at, durationMs, status, failure, response }) => (
            <li key={id} className="grid grid-cols-1 gap-1.5">
              <p className="flex flex-wrap gap-x-3 tabular-nums">
                <strong className="font-medium">
                  {status ?? t(`webhooks.delivery.failure.${failure ?? 'unreachable'}`)}
                </strong>
                <span className="text-muted-foreground">{formatDateTime(at)}</span>
                <span className="text-muted-foreground">
                  {t('webhooks.delivery.ms', { ms: durationMs })}
                </span>
              </p>
              {response ? (
                <Code text={response} />
              ) : (
                status !== null && (
                  <p className="text-muted-foreground">{t('webhooks.delivery.noResponse')}</p>
                )
              )}
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-1.5">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  );
}

const Code = ({ text }: { text: string }) => (
  <pre className="max-h-48 overflow-auto rounded-md bg-muted p-3 text-xs whitespace-pre-wrap wrap-anywhere">
    {text}
  </pre>
);
