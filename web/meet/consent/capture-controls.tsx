import { useState } from 'react';
import { Icon } from '../icons.tsx';
import type { Meeting } from '../meeting.ts';
import { useStore } from '../use-store.ts';
import { CapturePanel } from './capture-panel.tsx';
import type { CaptureSession } from './capture-session.ts';
import { QuestionDialog } from './question-dialog.tsx';
import { recordingText } from './recording-texts.ts';

type CaptureProps = { meeting: Meeting; session: CaptureSession };

/** That the call is recorded, the question to this participant, and what goes wrong. */
export function CaptureStatus({ meeting, session }: CaptureProps) {
  const { captures, capturable, isHost, call } = useStore(meeting);
  useStore(session);
  const [isOpen, setOpen] = useState(false);
  const runs = (captures?.running.length ?? 0) > 0;
  const mayStart = isHost && call !== null && capturable.length > 0;
  const { unanswered } = session;
  return (
    <>
      {(runs || mayStart) && (
        <button
          type="button"
          className="rec-chip"
          data-running={runs || undefined}
          aria-label={recordingText(runs ? 'recLabel' : 'panel.start')}
          onClick={() => setOpen(true)}
        >
          <span className="rec-dot" aria-hidden="true" />
          {recordingText('rec')}
        </button>
      )}
      <p className="unseen" role="status">
        {runs && recordingText('started')}
      </p>
      <Troubles meeting={meeting} session={session} />
      {isOpen && <CapturePanel {...{ meeting, session }} onClose={() => setOpen(false)} />}
      {unanswered.length > 0 && (
        <QuestionDialog
          key={unanswered.join()}
          meeting={meeting}
          session={session}
          asked={unanswered}
        />
      )}
    </>
  );
}

function Troubles({ meeting, session }: CaptureProps) {
  const { isServerFailing } = useStore(meeting);
  const { trouble, refused, hasFailed, refusal, isHeld, reduced, speech } = useStore(session);
  const canHideSpeech = speech === 'unsupported' || speech === 'installable';
  const notes = [
    trouble && recordingText(`trouble.${trouble}`),
    refused && recordingText('trouble.refused'),
    hasFailed && recordingText('trouble.failed'),
    isServerFailing && recordingText('trouble.server'),
    reduced && recordingText(reduced === 'sound' ? 'trouble.sound' : 'trouble.small'),
    speech === 'unsupported' && recordingText('speech.unsupported'),
    speech === 'installable' && recordingText('speech.installable'),
    speech === 'installing' && recordingText('speech.installing'),
    isHeld && recordingText('withdraw.held'),
    refusal,
  ].filter((note) => typeof note === 'string');
  if (notes.length === 0) return null;
  return (
    <div className="rec-troubles" role="alert">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {speech === 'installable' && (
        <button type="button" className="quiet" onClick={() => session.installSpeech()}>
          {recordingText('speech.install')}
        </button>
      )}
      {(refused || isHeld || reduced !== null || refusal !== null || canHideSpeech) && (
        <button type="button" className="quiet" onClick={() => session.hideNotes()}>
          {recordingText('panel.close')}
        </button>
      )}
    </div>
  );
}

/** For those who may start a recording. */
export function CaptureButton({ meeting, session }: CaptureProps) {
  const { captures, capturable, isHost, call } = useStore(meeting);
  const [isOpen, setOpen] = useState(false);
  if (!isHost || call === null || capturable.length === 0) return null;
  const runs = (captures?.running.length ?? 0) > 0;
  const label = recordingText(runs ? 'panel.title' : 'panel.start');
  return (
    <>
      <button
        type="button"
        className="round"
        data-control="record"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="record" />
      </button>
      {isOpen && <CapturePanel {...{ meeting, session }} onClose={() => setOpen(false)} />}
    </>
  );
}
