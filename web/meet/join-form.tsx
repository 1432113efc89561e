import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { CaptureKind } from '#domain/consent/capture.ts';
import { captureSlot } from './consent/capture-slot.ts';
import type { Meeting } from './meeting.ts';
import { unansweredBeforeJoining } from './meeting-state.ts';
import { longestName, ownName } from './own-name.ts';
import { text } from './texts.ts';
import { useStore } from './use-store.ts';

/** Joining precedes the devices: on a phone it needs no scrolling, regardless of what is above. */
export function JoinForm({ meeting, children }: { meeting: Meeting; children: ReactNode }) {
  const state = useStore(meeting);
  const { wait } = state;
  const { loaded } = useStore(captureSlot);
  const asked = loaded ? unansweredBeforeJoining(state) : [];
  const { givenName } = meeting.choices;
  const [answers, setAnswers] = useState<Answers>({});
  const [answerMissing, setAnswerMissing] = useState(false);
  const [typed, setTyped] = useState(meeting.choices.remembered.name ?? '');
  const [nameMissing, setNameMissing] = useState(false);
  const [skip, setSkip] = useState(meeting.choices.skipsPreview);
  const nameField = useRef<HTMLInputElement>(null);
  const joinButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (meeting.isFramed && isFocusFree()) joinButton.current?.focus();
  }, [meeting]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const name = ownName(typed);
    const missing = meeting.choices.needsName && name === null;
    setNameMissing(missing);
    if (missing) return nameField.current?.focus();
    const unanswered = asked.some((kind) => answers[kind] === undefined);
    setAnswerMissing(unanswered);
    if (unanswered) return;
    const agreed = asked.filter((kind) => answers[kind]);
    if (asked.length > 0) loaded?.session.answer({ asked, agreed }, name ?? undefined);
    if (meeting.choices.maySkipPreview) meeting.choices.skipPreview(skip);
    meeting.join(name ?? undefined);
  }

  return (
    <form onSubmit={submit} noValidate>
      {meeting.choices.needsName && (
        <NameField
          field={nameField}
          value={typed}
          missing={nameMissing}
          onType={(value) => {
            setTyped(value);
            setNameMissing(false);
          }}
        />
      )}
      {givenName !== null && <p className="hint">{text('join.as', { name: givenName })}</p>}
      {loaded && asked.length > 0 && (
        <loaded.parts.JoinQuestion
          meeting={meeting}
          asked={asked}
          answers={answers}
          missing={answerMissing}
          onAnswer={(kind, agrees) => {
            setAnswers({ ...answers, [kind]: agrees });
            setAnswerMissing(false);
          }}
        />
      )}
      <button ref={joinButton} type="submit" className="primary">
        {text(wait?.mustAsk ? 'join.ask' : 'join.button')}
      </button>
      {children}
      {meeting.choices.maySkipPreview && (
        <label className="check">
          <input
            type="checkbox"
            checked={skip}
            onChange={(event) => setSkip(event.target.checked)}
          />
          {text('join.skip')}
        </label>
      )}
    </form>
  );
}

type Answers = { [Kind in CaptureKind]?: boolean };

/** Whether nothing has the focus, neither here nor on the page around the frame. */
const isFocusFree = () =>
  [document, window.parent.document].every(
    ({ activeElement, body }) => activeElement === null || activeElement === body,
  );

type NameFieldProps = {
  field: React.RefObject<HTMLInputElement | null>;
  value: string;
  missing: boolean;
  onType: (value: string) => void;
};

function NameField({ field, value, missing, onType }: NameFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{text('join.name')}</label>
      <input
        id={id}
        ref={field}
        name="name"
        autoComplete="name"
        required
        maxLength={longestName}
        placeholder={text('join.nameHint')}
        value={value}
        onChange={(event) => onType(event.target.value)}
        aria-invalid={missing}
        aria-describedby={`${id}-error`}
      />
      <p id={`${id}-error`} className="field-error" role="alert">
        {missing && text('join.nameMissing')}
      </p>
    </div>
  );
}
