import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { CaptureKind } from '#domain/consent/capture.ts';
import type { Meeting } from '../meeting.ts';
import type { CaptureSession } from './capture-session.ts';
import { type Answers, Choices, Terms, useQuestion } from './question.tsx';
import { recordingText } from './recording-texts.ts';

type QuestionDialogProps = {
  meeting: Meeting;
  session: CaptureSession;
  asked: CaptureKind[];
};

/** Asks those who are in the call. Until they answer, nothing of them is captured. */
export function QuestionDialog({ meeting, session, asked }: QuestionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const { title, kinds, terms } = useQuestion(meeting, asked);
  const [answers, setAnswers] = useState<Answers>({});
  useEffect(() => dialog.current?.showModal(), []);
  const answer = (agreed: CaptureKind[]) => session.answer({ asked, agreed });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (asked.every((kind) => answers[kind] !== undefined)) {
      answer(asked.filter((kind) => answers[kind]));
    }
  };
  const isSingle = asked.length === 1;
  return (
    <dialog
      ref={dialog}
      className="settings consent-dialog"
      aria-labelledby={heading}
      onCancel={(event) => event.preventDefault()}
    >
      <form onSubmit={save}>
        <h2 id={heading}>{title}</h2>
        {kinds.map(({ kind, text }) => (
          <p key={kind}>{text}</p>
        ))}
        <Terms terms={terms} />
        {!isSingle && (
          <Choices
            asked={asked}
            answers={answers}
            onAnswer={(kind, agrees) => setAnswers({ ...answers, [kind]: agrees })}
            labels={{ agree: recordingText('agree'), decline: recordingText('decline') }}
          />
        )}
        <div className="answers">
          {/* Both answers look the same: neither is recommended. */}
          {isSingle ? (
            <>
              <button type="button" className="quiet" onClick={() => answer(asked)}>
                {recordingText('ask.agree')}
              </button>
              <button type="button" className="quiet" onClick={() => answer([])}>
                {recordingText('ask.decline')}
              </button>
            </>
          ) : (
            <button
              type="submit"
              className="quiet"
              disabled={asked.some((kind) => answers[kind] === undefined)}
            >
              {recordingText('ask.save')}
            </button>
          )}
          <button type="button" className="leave-call" onClick={() => meeting.leave()}>
            {recordingText('ask.leave')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
