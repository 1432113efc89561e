import { useQuery } from '@tanstack/react-query';
import { listActionItems } from '#domain/ai/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { ActionItemList } from '#web/ai/action-item-list.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The stored action items of a call, for its page. */
export function ActionItems({ callId }: { callId: CallId }) {
  const { data, error, refetch } = useQuery(reading(listActionItems, { params: { id: callId } }));
  if (error)
    return <LoadFailed error={error} onRetry={refetch} title={t('ai.actionItems.failed')} />;
  if (!data) return <Skeleton className="h-24" />;
  if (data.generatedAt === null)
    return <p className="text-sm text-muted-foreground">{t('ai.actionItems.pending')}</p>;
  return (
    <div className="grid gap-3">
      <ActionItemList items={data.actionItems} />
      {data.analyzer && (
        <p className="text-xs text-muted-foreground">
          {data.analyzer.offline ? t('ai.offline') : t('ai.model', { name: data.analyzer.name })}
        </p>
      )}
    </div>
  );
}
