import { lazy, Suspense, useState } from 'react';
import type { CallId } from '#domain/ids.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { CallPart } from '#web/calls/call-part.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { ExportMenu } from '#web/transcripts/export-menu.tsx';
import { useTranscript } from '#web/transcripts/queries.ts';
import { Line } from '#web/transcripts/transcript-line.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';

const CorrectLineDialog = lazy(() => import('#web/transcripts/correct-line-dialog.tsx'));

interface TranscriptProps {
  callId: CallId;
  /** Called with the milliseconds of a line's start when its time is chosen. Without it, times are text. */
  onSeek?: (ms: number) => void;
}

/** What was said in a call, with names and times; nothing if it was not transcribed. */
export function Transcript({ callId, onSeek }: TranscriptProps) {
  const transcript = useTranscript(callId);
  const mayCorrect = useMay('calls.update');
  const [corrected, setCorrected] = useState<TranscriptLine | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = transcript;
  const [first] = data?.pages ?? [];
  if (!first) return error ? <Failed error={error} onRetry={() => void refetch()} /> : null;
  if (first.state === 'none') return null;
  const lines = data?.pages.flatMap((page) => page.lines) ?? [];
  return (
    <CallPart
      title={t('transcript.title')}
      action={
        <div className="flex items-center gap-2">
          {first.state === 'live' && <Badge>{t('transcript.live')}</Badge>}
          {lines.length > 0 && <ExportMenu callId={callId} />}
        </div>
      }
    >
      {first.state === 'failed' && (
        <p className="text-sm text-muted-foreground">{t('transcript.failed')}</p>
      )}
      <ol className="grid gap-3 text-sm">
        {lines.map((line) => (
          <Line
            key={line.id}
            line={line}
            {...(onSeek && { onSeek })}
            {...(mayCorrect && { onCorrect: setCorrected })}
          />
        ))}
      </ol>
      {first.missingPhrases > 0 && first.state !== 'failed' && (
        <p className="mt-3 text-xs text-muted-foreground">
          {t('transcript.missing', { count: first.missingPhrases })}
        </p>
      )}
      <LoadMore
        look="plain"
        label={t('transcript.more')}
        pendingLabel={t('transcript.loadingMore')}
        more={hasNextPage ? () => void fetchNextPage() : undefined}
        isLoadingMore={isFetchingNextPage}
      />
      {corrected && (
        <Suspense>
          <CorrectLineDialog callId={callId} line={corrected} onClose={() => setCorrected(null)} />
        </Suspense>
      )}
    </CallPart>
  );
}

const Failed = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <CallPart title={t('transcript.title')}>
    <LoadFailed error={error} onRetry={onRetry} />
  </CallPart>
);
