import '#web/platform/call-texts.ts';
import { PhoneOff } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link, useParams } from 'react-router';
import type { CallDetails } from '#domain/calls/contract.ts';
import { type CallId, callId } from '#domain/ids.ts';
import { ActionItems } from '#web/action-items/action-items.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { CallChat } from '#web/calls/call-chat.tsx';
import { CallDetailsHeader } from '#web/calls/call-details-header.tsx';
import { CallItems } from '#web/calls/call-items.tsx';
import { CallPart } from '#web/calls/call-part.tsx';
import { CallPeople } from '#web/calls/call-people.tsx';
import { CallScores } from '#web/calls/call-scores.tsx';
import { NpsDialog } from '#web/calls/nps-dialog.tsx';
import { rateParam } from '#web/calls/paths.ts';
import { useCallDetails } from '#web/calls/queries.ts';
import { CallInsights } from '#web/insights/call-insights.tsx';
import { NoteLines } from '#web/insights/note-lines.tsx';
import { ApiError } from '#web/platform/api.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { ExportMenu } from '#web/transcripts/export-menu.tsx';
import { LineCorrection } from '#web/transcripts/line-correction.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

// Most calls are read without it, and it is as large as the page.
const CallRecording = lazy(() => import('#web/calls/call-recording.tsx'));
const CallCrm = lazy(() => import('#web/crm/call-crm.tsx'));

/** The page of a past call: recording, transcript, participants, length, checklist, notes and scores. */
export function CallDetailsPage() {
  const id = callId.safeParse(useParams().id);
  return id.success ? <DetailsOf key={id.data} id={id.data} /> : <CallMissing />;
}

function DetailsOf({ id }: { id: CallId }) {
  const { data: call, error, refetch } = useCallDetails(id);
  if (call) return <Details call={call} />;
  if (error instanceof ApiError && error.status === 404) return <CallMissing />;
  if (error)
    return (
      <Card>
        <LoadFailed error={error} onRetry={refetch} />
      </Card>
    );
  return (
    <div className="grid gap-6">
      <span role="status" className="sr-only">
        {t('common.loading')}
      </span>
      <Skeleton className="h-24 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </div>
  );
}

function Details({ call }: { call: CallDetails }) {
  const mayRate = useMay('calls.update');
  const rating = useAddressDialog(rateParam);
  const notes = call.notesSnapshot;
  return (
    <article className="printed">
      <title>{`${call.room.topic} · ${t('product')}`}</title>
      <CallDetailsHeader call={call} {...(mayRate ? { onRate: () => rating.open() } : {})} />
      <Suspense>
        <CallRecording
          call={call}
          transcriptActions={<ExportMenu callId={call.id} />}
          lineActions={(line) => <LineCorrection callId={call.id} line={line} />}
        />
      </Suspense>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] print:grid-cols-1">
        <div className="grid grid-cols-1 gap-6">
          {call.endedAt !== null && <CallInsights call={call} />}
          <CallPart
            title={t('calls.details.notes')}
            action={
              notes && (
                <CopyButton
                  label={t('calls.details.copyNotes')}
                  done={t('calls.details.notesCopied')}
                  text={() => notes}
                />
              )
            }
          >
            {notes ? (
              <NoteLines notes={notes} />
            ) : (
              <p className="text-sm text-muted-foreground">{t('calls.details.noNotes')}</p>
            )}
          </CallPart>
          <CallPart title={t('calls.details.checklist')}>
            <CallItems call={call} />
          </CallPart>
          <CallPart title={t('ai.actionItems.title')}>
            <ActionItems callId={call.id} showsSource />
          </CallPart>
          <CallChat id={call.id} />
        </div>
        <div className="grid grid-cols-1 gap-6">
          <CallPart title={t('calls.details.participants')}>
            <CallPeople call={call} />
          </CallPart>
          <CallPart title={t('calls.details.scores')}>
            <CallScores call={call} />
          </CallPart>
          {call.endedAt !== null && !call.sample && (
            <Suspense>
              <CallCrm id={call.id} />
            </Suspense>
          )}
        </div>
      </div>
      {mayRate && rating.value !== null && <NpsDialog callId={call.id} onDone={rating.close} />}
    </article>
  );
}

function CallMissing() {
  return (
    <Card>
      <title>{`${t('calls.details.missing')} · ${t('product')}`}</title>
      <EmptyState
        icon={PhoneOff}
        title={<h1>{t('calls.details.missing')}</h1>}
        text={t('calls.details.missingText')}
        action={
          <Link to="/app/analytics" className={buttonClass({ look: 'outline' })}>
            {t('calls.details.toCalls')}
          </Link>
        }
      />
    </Card>
  );
}
