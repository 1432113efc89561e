import './recording-bar.css';
import { useState } from 'react';
import { recordingText } from '../consent/recording-texts.ts';
import { useStore } from '../use-store.ts';
import { HostedQuestion } from './hosted-question.tsx';
import type { HostedRecording, HostedRecordingState } from './hosted-recording.ts';

/** Above a hosted page: whether the call is recorded, the question to this person, and their answer. */
export function RecordingBar({ recording }: { recording: HostedRecording }) {
  const snapshot = useStore(recording);
  const { organization, mayStart, isIn, isOn, isAsked, agrees, state, refusal, isHeld } = snapshot;
  const isShown = mayStart || isOn || isAsked || state !== 'off' || refusal !== null || isHeld;
  if (!isShown) return null;
  return (
    <div className="recording-bar">
      <p role="status" data-recording={state}>
        {state === 'recording' && <span className="recording-dot" aria-hidden="true" />}
        {statusText(snapshot)}
      </p>
      {(refusal !== null || isHeld) && (
        <p role="alert">{refusal ?? recordingText('withdraw.held')}</p>
      )}
      {mayStart && isIn && (
        <button type="button" onClick={() => recording.order(!isOn)}>
          {recordingText(isOn ? 'panel.stop' : 'panel.start')}
        </button>
      )}
      {isAsked && agrees === null && (
        <HostedQuestion
          organization={organization}
          onAnswer={(agreed) => recording.answer(agreed)}
        />
      )}
      {agrees !== null && <OwnAnswer recording={recording} agrees={agrees} />}
    </div>
  );
}

function statusText({ isOn, state, waitingFor }: HostedRecordingState): string {
  if (state === 'off') return recordingText(isOn ? 'hosted.waiting' : 'panel.off');
  if (state !== 'waiting' || waitingFor === 0) return recordingText(`hosted.${state}`);
  if (waitingFor === 1) return recordingText('hosted.waitingOne');
  return recordingText('hosted.waitingMany', { count: waitingFor });
}

function OwnAnswer({ recording, agrees }: { recording: HostedRecording; agrees: boolean }) {
  const [isWithdrawing, setWithdrawing] = useState(false);
  function withdraw(discard: boolean) {
    recording.answer(false, discard);
    setWithdrawing(false);
  }
  if (!agrees) {
    return (
      <p>
        {recordingText('hosted.youNot')}{' '}
        <button type="button" onClick={() => recording.answer(true)}>
          {recordingText('hosted.agree')}
        </button>
      </p>
    );
  }
  if (!isWithdrawing) {
    return (
      <p>
        {recordingText('hosted.you')}{' '}
        <button type="button" onClick={() => setWithdrawing(true)}>
          {recordingText('hosted.withdraw')}
        </button>
      </p>
    );
  }
  return (
    <section className="hosted-question" aria-label={recordingText('hosted.withdraw')}>
      <p>{recordingText('hosted.withdrawText')}</p>
      <div className="hosted-answers">
        <button type="button" onClick={() => withdraw(false)}>
          {recordingText('withdraw.keep')}
        </button>
        <button type="button" onClick={() => withdraw(true)}>
          {recordingText('withdraw.discard')}
        </button>
        <button type="button" onClick={() => setWithdrawing(false)}>
          {recordingText('withdraw.cancel')}
        </button>
      </div>
    </section>
  );
}
