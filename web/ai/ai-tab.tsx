import '#web/platform/call-texts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useEffect } from 'react';
import type { Sentiment } from '#domain/ai/contract.ts';
import { sentimentLabel } from '#domain/ai/rules.ts';
import { ActionItems } from '#web/action-items/action-items.tsx';
import { actionItemsPath } from '#web/action-items/queries.ts';
import { analyzerText } from '#web/ai/analyzer-text.ts';
import type { LiveAnalysis } from '#web/ai/live-analysis.ts';
import { SentimentCard } from '#web/ai/sentiment-card.tsx';
import { SuggestionList } from '#web/ai/suggestion-list.tsx';
import { useStore } from '#web/meet/use-store.ts';
import { keyOf } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-store.ts';

interface AiTabProps {
  /** Null while its code is loaded, or if this person may not analyze. */
  analysis: LiveAnalysis | null;
  mayAnalyze: boolean;
}

/** The analysis of the call: sentiment, coaching, action items. */
export default function AiTab({ analysis, mayAnalyze }: AiTabProps) {
  if (!mayAnalyze)
    return <EmptyState icon={Sparkles} title={t('ai.viewer')} text={t('ai.viewerText')} />;
  if (analysis === null) return <AiTabLoading />;
  return <Analysis analysis={analysis} />;
}

export function AiTabLoading() {
  return (
    <div className="grid gap-4">
      <Skeleton className="h-8" />
      <Skeleton className="h-24" />
      <Skeleton className="h-32" />
    </div>
  );
}

function Analysis({ analysis }: { analysis: LiveAnalysis }) {
  const { sentiment, suggestions, analyzer, isAnalyzing, hasFailed } = useStore(analysis);
  useFreshItems(analysis);
  const isEmpty = sentiment === null && suggestions === null;
  const isUnread = sentiment?.supported === false;

  async function analyze() {
    if (await analysis.analyze()) return;
    toast({ title: t('ai.noContent'), description: t('ai.noContentText') });
  }

  return (
    <div className="grid gap-5">
      <Announcement analysis={analysis} />
      <Button look="outline" size="small" disabled={isAnalyzing} onClick={() => void analyze()}>
        <Sparkles aria-hidden className="size-4" />
        {t(isAnalyzing ? 'ai.analyzing' : 'ai.analyze')}
      </Button>
      {isEmpty && isAnalyzing && <AiTabLoading />}
      {isEmpty && !isAnalyzing && (
        <EmptyState icon={Sparkles} title={t('ai.empty')} text={t('ai.emptyText')} />
      )}
      {hasFailed && <p className="text-xs text-muted-foreground">{t('ai.failed')}</p>}
      {sentiment && <SentimentCard sentiment={sentiment} />}
      {suggestions && !(isUnread && suggestions.length === 0) && (
        <SuggestionList suggestions={suggestions} />
      )}
      <section aria-labelledby="ai-action-items" className="grid gap-2">
        <h2 id="ai-action-items" className="text-sm font-semibold">
          {t('ai.actionItems.title')}
        </h2>
        <ActionItems callId={analysis.callId} />
      </section>
      {analyzer && (
        <p className="border-t pt-3 text-xs text-muted-foreground">{analyzerText(analyzer)}</p>
      )}
    </div>
  );
}

/** Reads the stored action items again after an analysis. */
function useFreshItems(analysis: LiveAnalysis): void {
  const { itemsAt } = useStore(analysis);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (itemsAt === null) return;
    void queryClient.invalidateQueries({ queryKey: keyOf(actionItemsPath(analysis.callId)) });
  }, [itemsAt, analysis, queryClient]);
}

/** Announced by screen readers only when the sentiment or the number of suggestions changes. */
function Announcement({ analysis }: { analysis: LiveAnalysis }) {
  const { sentiment, suggestions } = useStore(analysis);
  const mood = sentiment ? moodName(sentiment) : t('ai.sentiment.none');
  const count = suggestions?.length ?? 0;
  return (
    <p role="status" className="sr-only">
      {(sentiment || suggestions) &&
        t('ai.announced', { mood, suggestions: t('ai.coaching.count', { count }) })}
    </p>
  );
}

const moodName = ({ supported, overallSentiment }: Sentiment) =>
  supported ? t(`ai.sentiment.${sentimentLabel(overallSentiment)}`) : t('ai.sentiment.unread');
