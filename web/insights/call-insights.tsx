import '#web/platform/call-texts.ts';
import '#web/platform/player-texts.ts';
import { RefreshCw, Sparkles } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { CallDetails } from '#domain/calls/contract.ts';
import type { CallInsights as Found } from '#domain/insights/contract.ts';
import { analyzerText } from '#web/ai/analyzer-text.ts';
import { useMay } from '#web/auth/use-may.ts';
import { CallPart } from '#web/calls/call-part.tsx';
import { FoundInsights } from '#web/insights/found-insights.tsx';
import { useGenerateInsights, useInsights } from '#web/insights/queries.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const FollowUpDialog = lazy(() => import('#web/insights/follow-up-dialog.tsx'));

/** What is known about an ended call: summary, topics, questions, and who spoke. */
export function CallInsights({ call }: { call: CallDetails }) {
  const { data, error, refetch } = useInsights(call);
  return (
    <CallPart title={t('assistant.summary.title')}>
      {data ? (
        <State call={call} found={data} />
      ) : error ? (
        <LoadFailed error={error} onRetry={refetch} title={t('assistant.summary.failed')} />
      ) : (
        <Skeleton className="h-24" />
      )}
    </CallPart>
  );
}

function State({ call, found }: { call: CallDetails; found: Found }) {
  const mayGenerate = useMay('ai.analyze');
  const draft = useAddressDialog('draft');
  const { state, insights, analyzer } = found;
  return (
    <div className="grid gap-5">
      <Sentence found={found} />
      {insights && <FoundInsights callId={call.id} insights={insights} />}
      {(mayGenerate || insights) && state !== 'working' && (
        <div className="flex flex-wrap gap-2 print:hidden">
          {insights && (
            <Button look="outline" size="small" onClick={() => draft.open()}>
              {t('assistant.draft.open')}
            </Button>
          )}
          {mayGenerate && <Generate call={call} isFirst={state === 'none'} />}
        </div>
      )}
      {analyzer && state === 'ready' && (
        <p className="text-xs text-muted-foreground">{analyzerText(analyzer)}</p>
      )}
      {insights && draft.value !== null && (
        <Suspense>
          <FollowUpDialog call={call} insights={insights} onClose={draft.close} />
        </Suspense>
      )}
    </div>
  );
}

function Generate({ call, isFirst }: { call: CallDetails; isFirst: boolean }) {
  const { mutate, isPending } = useGenerateInsights(call.id);
  const Icon = isFirst ? Sparkles : RefreshCw;
  return (
    <Button
      look={isFirst ? 'outline' : 'ghost'}
      size="small"
      disabled={isPending}
      onClick={() => mutate(undefined)}
    >
      <Icon aria-hidden className="size-4" />
      {t(isFirst ? 'assistant.summary.generate' : 'assistant.summary.again')}
    </Button>
  );
}

/** Says what is missing, and why. */
function Sentence({ found }: { found: Found }) {
  const text = sentenceOf(found);
  if (text === null) return null;
  return (
    <p role="status" className="text-sm text-muted-foreground">
      {text}
    </p>
  );
}

function sentenceOf({ state, insights }: Found): string | null {
  if (state === 'none') return t('assistant.summary.none');
  if (state === 'working') return t('assistant.summary.working');
  if (state === 'empty') return t('assistant.summary.empty');
  if (state === 'failed') return t('assistant.summary.notMade');
  if (insights === null) return null;
  if (insights.summary === null) {
    return t(insights.talk ? 'assistant.summary.offline' : 'assistant.summary.offlineNotes');
  }
  if (insights.summary.length === 0) return t('assistant.summary.nothingFound');
  return insights.isPartial ? t('assistant.summary.partial') : null;
}
