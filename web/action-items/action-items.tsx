import '#web/platform/call-texts.ts';
import { Plus, RefreshCw } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { ActionItemList } from '#domain/action-items/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { ActionItemRow } from '#web/action-items/action-item-row.tsx';
import { useActionItems, useRegenerateActionItems } from '#web/action-items/queries.ts';
import { analyzerText } from '#web/ai/analyzer-text.ts';
import { useMay } from '#web/auth/use-may.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const ActionItemDialog = lazy(() => import('#web/action-items/action-item-dialog.tsx'));
/** The dialog's name in the address: `?item=new`, or the id of an item. */
export const itemParam = 'item';

interface ActionItemsProps {
  callId: CallId;
  /** Says who generated them, where nothing around the list does. */
  showsSource?: boolean;
}

/** The action items of a call, which members edit, complete, and add to. */
export function ActionItems({ callId, showsSource = false }: ActionItemsProps) {
  const { data, error, refetch } = useActionItems(callId);
  const mayEdit = useMay('calls.update');
  const dialog = useAddressDialog(itemParam);
  if (error && !data)
    return <LoadFailed error={error} onRetry={refetch} title={t('ai.actionItems.failed')} />;
  if (!data) return <Skeleton className="h-24" />;
  const edited = data.actionItems.find(({ id }) => id === dialog.value);
  return (
    <div className="grid gap-3">
      {data.actionItems.length === 0 ? (
        <p className="text-sm text-muted-foreground">{t('ai.actionItems.none')}</p>
      ) : (
        <ul className="grid gap-2">
          {data.actionItems.map((item) => (
            <ActionItemRow
              key={item.id}
              item={item}
              {...(mayEdit ? { onEdit: () => dialog.open(item.id) } : {})}
            />
          ))}
        </ul>
      )}
      {mayEdit && <Actions callId={callId} onAdd={() => dialog.open('new')} />}
      {showsSource && <Source list={data} />}
      {mayEdit && (dialog.value === 'new' || edited) && (
        <Suspense>
          <ActionItemDialog callId={callId} item={edited ?? null} onClose={dialog.close} />
        </Suspense>
      )}
    </div>
  );
}

function Actions({ callId, onAdd }: { callId: CallId; onAdd: () => void }) {
  const { mutate, isPending } = useRegenerateActionItems(callId);
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button look="outline" size="small" onClick={onAdd}>
        <Plus aria-hidden className="size-4" />
        {t('ai.actionItems.add')}
      </Button>
      <Button
        look="ghost"
        size="small"
        disabled={isPending}
        title={t('ai.actionItems.generateHint')}
        onClick={() => mutate(undefined)}
      >
        <RefreshCw aria-hidden className="size-4" />
        {t(isPending ? 'ai.actionItems.generating' : 'ai.actionItems.generate')}
      </Button>
    </div>
  );
}

function Source({ list: { analyzer, actionItems } }: { list: ActionItemList }) {
  if (!analyzer || !actionItems.some(({ isGenerated }) => isGenerated)) return null;
  return <p className="text-xs text-muted-foreground">{analyzerText(analyzer)}</p>;
}
