import '#web/platform/crm-texts.ts';
import type { CrmSync } from '#domain/crm/contract.ts';
import { vendorNames } from '#domain/crm/mapping.ts';
import type { CallId } from '#domain/ids.ts';
import { useMay } from '#web/auth/use-may.ts';
import { CallPart } from '#web/calls/call-part.tsx';
import { useCrmSyncs, useRetrySync } from '#web/crm/queries.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Button } from '#web/ui/button.tsx';

/** Whether a call has reached the connected CRMs. Nothing where there are none. */
export default function CallCrm({ id }: { id: CallId }) {
  const { data } = useCrmSyncs(id);
  if (!data || data.length === 0) return null;
  return (
    <CallPart title={t('crm.call.title')}>
      <ul className="grid gap-4">
        {data.map((sync) => (
          <SyncOf key={sync.vendor} id={id} sync={sync} />
        ))}
      </ul>
    </CallPart>
  );
}

function SyncOf({ id, sync }: { id: CallId; sync: CrmSync }) {
  const mayRetry = useMay('calls.update');
  const retry = useRetrySync(id, sync.vendor);
  const name = vendorNames[sync.vendor];
  const isOver = sync.state === 'skipped' || sync.state === 'failed';
  const text = explanation(sync, name);
  return (
    <li className="text-sm">
      <h3 className="font-medium">{name}</h3>
      <p className={sync.state === 'failed' ? 'text-destructive' : 'text-muted-foreground'}>
        {stateText(sync)}
      </p>
      {text && <p className="mt-1 wrap-anywhere text-muted-foreground">{text}</p>}
      {isOver && sync.detail && sync.reason !== 'deleted_there' && (
        <p className="mt-1 wrap-anywhere text-muted-foreground">
          {sync.reason === 'rejected'
            ? t('crm.call.answered', { name, detail: sync.detail })
            : sync.detail}
        </p>
      )}
      {isOver && mayRetry && (
        <Button
          look="outline"
          size="small"
          className="mt-2 print:hidden"
          aria-label={t('crm.call.retryOf', { name })}
          disabled={retry.isPending}
          onClick={() => retry.mutate(undefined)}
        >
          {t('crm.call.retry')}
        </Button>
      )}
    </li>
  );
}

const stateText = ({ state, syncedAt }: CrmSync) =>
  state === 'synced' && syncedAt
    ? t('crm.call.synced', { time: formatDateTime(syncedAt) })
    : t(`crm.call.${state === 'synced' ? 'waiting' : state}`);

function explanation({ state, reason, isHeld, customerEmail }: CrmSync, name: string) {
  if (isHeld && state === 'waiting') return t('crm.call.held', { name });
  if (reason === null) return null;
  if (state === 'failed' && reason === 'unreachable') return t('crm.call.gaveUp', { name });
  return t(`crm.call.reason.${reason}`, { name, email: customerEmail ?? '' });
}
