import { useEffect, useId, useRef, useState } from 'react';
import type { Participant } from '#domain/calls/participant.ts';
import type { CaptureKind } from '#domain/consent/capture.ts';
import { locale } from '../../texts/language.ts';
import type { Meeting } from '../meeting.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import type { CaptureSession } from './capture-session.ts';
import { recordingText } from './recording-texts.ts';

type CapturePanelProps = { meeting: Meeting; session: CaptureSession; onClose: () => void };

const timeOf = (time: string) =>
  new Date(time).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });

/** Who is recorded, this participant's own answer, and for hosts the start and the end. */
export function CapturePanel({ meeting, session, onClose }: CapturePanelProps) {
  const { captures, capturable, isHost, roster } = useStore(meeting);
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [isWithdrawing, setWithdrawing] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const running = captures?.running ?? [];
  const [first] = running;
  const kinds = running.map(({ kind }) => kind);
  const people = roster.participants.filter(({ inMeeting }) => inMeeting);
  return (
    <dialog
      ref={dialog}
      className="settings capture-panel"
      aria-labelledby={heading}
      onClose={onClose}
    >
      {isWithdrawing ? (
        <Withdrawal heading={heading} session={session} onDone={() => setWithdrawing(false)} />
      ) : (
        <form method="dialog">
          <h2 id={heading}>{recordingText('panel.title')}</h2>
          <p>
            {first
              ? recordingText('panel.on', { time: timeOf(first.startedAt) })
              : recordingText('panel.off')}
          </p>
          {first && (
            <ul>
              {people.map((one) => (
                <li key={one.id}>
                  <span dir="auto">
                    {one.id === roster.self ? text('meeting.you', { name: one.name }) : one.name}
                  </span>
                  <span>{recordingText(stateOf(one, kinds))}</span>
                </li>
              ))}
            </ul>
          )}
          {first && <OwnAnswer session={session} onWithdraw={() => setWithdrawing(true)} />}
          {isHost && (first || capturable.length > 0) && (
            <>
              {!first && <p className="hint">{recordingText('panel.startHint')}</p>}
              <button
                type="submit"
                className={first ? 'quiet' : 'primary'}
                onClick={() => {
                  for (const kind of first ? kinds : capturable) session.order(kind, !first);
                }}
              >
                {recordingText(first ? 'panel.stop' : 'panel.start')}
              </button>
            </>
          )}
          <button type="submit" className="quiet">
            {recordingText('panel.close')}
          </button>
        </form>
      )}
    </dialog>
  );
}

function stateOf({ consent }: Participant, running: readonly CaptureKind[]) {
  if (running.some((kind) => consent?.agreed.includes(kind))) return 'panel.recorded';
  const isAsked = running.every((kind) => consent?.asked.includes(kind));
  return isAsked ? 'panel.unrecorded' : 'panel.unanswered';
}

function OwnAnswer({ session, onWithdraw }: { session: CaptureSession; onWithdraw: () => void }) {
  useStore(session);
  const { running } = session;
  const agrees = running.some((kind) => session.consent.agreed.includes(kind));
  return (
    <div className="own-answer">
      <p role="status">{recordingText(agrees ? 'panel.you' : 'panel.youNot')}</p>
      <button
        type="button"
        className="quiet"
        onClick={() =>
          agrees ? onWithdraw() : session.answer({ asked: running, agreed: running })
        }
      >
        {recordingText(agrees ? 'panel.withdraw' : 'panel.change')}
      </button>
    </div>
  );
}

type WithdrawalProps = { heading: string; session: CaptureSession; onDone: () => void };

function Withdrawal({ heading, session, onDone }: WithdrawalProps) {
  const withdraw = (discard: boolean) => {
    session.answer({ asked: session.consent.agreed, agreed: [], discard });
    onDone();
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <h2 id={heading}>{recordingText('withdraw.title')}</h2>
      <p>{recordingText('withdraw.text')}</p>
      <div className="answers">
        <button type="button" className="quiet" onClick={() => withdraw(false)}>
          {recordingText('withdraw.keep')}
        </button>
        <button type="button" className="quiet" onClick={() => withdraw(true)}>
          {recordingText('withdraw.discard')}
        </button>
        <button type="button" className="quiet" onClick={onDone}>
          {recordingText('withdraw.cancel')}
        </button>
      </div>
    </form>
  );
}
