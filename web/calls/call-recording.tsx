import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { type CallDetails, readChat } from '#domain/calls/contract.ts';
import type { Recording } from '#domain/recordings/contract.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { useActionItems } from '#web/action-items/queries.ts';
import { useMay } from '#web/auth/use-may.ts';
import { callMarkers } from '#web/calls/call-markers.ts';
import { callDetailsPath } from '#web/calls/paths.ts';
import { ApiError } from '#web/platform/api.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import '#web/platform/player-texts.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import type { Marker } from '#web/player/marker.ts';
import { PlayerView } from '#web/player/player-view.tsx';
import { useRecording, useTranscript } from '#web/player/queries.ts';
import { recordingNotice } from '#web/player/recording-notice.tsx';
import type { Lane } from '#web/player/talk.ts';
import { timeIn } from '#web/player/time-text.ts';
import { playedFiles } from '#web/player/timeline.ts';
import { TranscriptPanel } from '#web/player/transcript-panel.tsx';
import { useRetryRecording } from '#web/recordings/queries.ts';
import { RecordingFacts } from '#web/recordings/recording-facts.tsx';
import { ShareList } from '#web/shares/share-list.tsx';
import { Card } from '#web/ui/card.tsx';

const ShareRecordingDialog = lazy(() => import('#web/shares/share-recording-dialog.tsx'));

interface CallRecordingProps {
  call: CallDetails;
  /** Moments that others know of, such as changes of the mood. */
  markers?: readonly Marker[];
  /** In the head of the transcript, such as its export. */
  transcriptActions?: ReactNode;
  /** Beside each line, such as its correction. */
  lineActions?: (line: TranscriptLine) => ReactNode;
  /** Below the player, such as a summary. */
  children?: ReactNode;
}

const noLines: TranscriptLine[] = [];
const noMarkers: Marker[] = [];
const noLanes: Lane[] = [];

/** The recording and the transcript of a call; nothing for a call without either. */
export default function CallRecording(props: CallRecordingProps) {
  const { call, children } = props;
  const recording = useRecording(call.id);
  const transcript = useTranscript(call.id);
  const lines = useMemo(
    () => transcript.lines?.flatMap((page) => page.lines) ?? noLines,
    [transcript.lines],
  );
  const retry = useRetryRecording(call.id);
  const mayRetry = useMay('calls.update');
  if (recording.error && !isMissing(recording.error) && !recording.data)
    return <Failed error={recording.error} retry={recording.refetch} />;
  const { data } = recording;
  const refetch = () => void recording.refetch();
  const notice = data
    ? recordingNotice(data, mayRetry ? () => retry.mutate(undefined) : undefined)
    : null;
  if (data && playedFiles(data.people).length > 0)
    return (
      <div className="mb-6 grid grid-cols-1 gap-6">
        <Playing
          {...props}
          recording={data}
          transcript={transcript}
          lines={lines}
          renew={refetch}
          notice={notice}
        />
        <RecordingFacts recording={data} />
        <ShareList callId={call.id} />
        {children}
      </div>
    );
  const showsTranscript = lines.length > 0 || transcript.state === 'live';
  if (!notice && !showsTranscript) return null;
  return (
    <div className="mb-6 grid grid-cols-1 gap-6 print:hidden">
      {notice && <Card>{notice}</Card>}
      {showsTranscript && (
        <Card className="h-112 overflow-hidden">
          <TranscriptPanel
            lines={lines}
            lanes={noLanes}
            note={noteOf(transcript)}
            actions={props.transcriptActions}
            lineActions={props.lineActions}
          />
        </Card>
      )}
    </div>
  );
}

type PlayingProps = CallRecordingProps & {
  recording: Recording;
  transcript: ReturnType<typeof useTranscript>;
  lines: readonly TranscriptLine[];
  renew: () => void;
  notice: ReactNode;
};

function Playing(props: PlayingProps) {
  const { call, recording, transcript, lines, renew, notice } = props;
  const { markers: others = noMarkers, transcriptActions, lineActions } = props;
  const [params] = useSearchParams();
  const { key: visit } = useLocation();
  const linked = params.get('t');
  const mayShare = useMay('recordings.share');
  const [sharedAtMs, setSharedAtMs] = useState<number | null>(null);
  const { data: messages } = useQuery({
    ...reading(readChat, { params: { id: call.id } }),
    staleTime: 0,
  });
  const { data: list } = useActionItems(call.id);
  const markers = useMemo(() => {
    const items = list?.actionItems ?? [];
    return [...callMarkers({ call, messages: messages ?? [], items, lines }), ...others].filter(
      ({ atMs }) => atMs <= recording.durationMs,
    );
  }, [call, messages, list, lines, others, recording.durationMs]);
  const { error } = transcript;
  const hasTranscript =
    lines.length > 0 || transcript.state === 'live' || (error && !isMissing(error));
  return (
    <>
      <PlayerView
        recording={recording}
        lines={lines}
        markers={markers}
        startMs={linked === null ? null : timeIn(linked)}
        visit={visit}
        renew={renew}
        linkAt={(ms) =>
          `${window.location.origin}${callDetailsPath(call.id)}?t=${Math.floor(ms / 1000)}`
        }
        onShare={mayShare ? setSharedAtMs : undefined}
        notice={notice && <div className="border-b">{notice}</div>}
        transcript={
          hasTranscript
            ? { note: noteOf(transcript), actions: transcriptActions, lineActions }
            : null
        }
      />
      {sharedAtMs !== null && (
        <Suspense>
          <ShareRecordingDialog
            callId={call.id}
            positionMs={sharedAtMs}
            durationMs={recording.durationMs}
            onClose={() => setSharedAtMs(null)}
          />
        </Suspense>
      )}
    </>
  );
}

function noteOf(transcript: ReturnType<typeof useTranscript>) {
  const { state, error, isComplete, missingPhrases, refetch } = transcript;
  if (error && !isMissing(error))
    return (
      <span role="alert" className="flex items-center justify-between gap-3">
        {t('player.state.transcriptFailed')}
        <button type="button" className="rounded underline" onClick={() => void refetch()}>
          {t('common.tryAgain')}
        </button>
      </span>
    );
  if (state === 'failed') return t('player.state.transcriptError');
  if (state === 'live') return t('player.state.transcriptLive');
  if (!isComplete && !error) return t('player.state.transcriptLoading');
  return missingPhrases > 0 ? t('transcript.missing', { count: missingPhrases }) : null;
}

/** A server that has none, or whose call is gone, which the page around says. */
const isMissing = (error: Error) => error instanceof ApiError && error.status === 404;

function Failed({ error, retry }: { error: Error; retry: () => unknown }) {
  const isRefused = error instanceof ApiError && error.status === 403;
  return (
    <Card className="mb-6 print:hidden">
      {isRefused ? (
        <p className="px-5 py-3 text-sm">
          <span className="font-medium">{t('player.state.noAccess')}</span>
          <span className="block text-muted-foreground">{t('player.state.noAccessText')}</span>
        </p>
      ) : (
        <LoadFailed error={error} onRetry={retry} title={t('player.state.loadFailed')} />
      )}
    </Card>
  );
}
