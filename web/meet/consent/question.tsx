import { useId } from 'react';
import type { CaptureKind } from '#domain/consent/capture.ts';
import { consentQuestion } from '#domain/consent/question.ts';
import { language } from '../../texts/language.ts';
import type { Meeting } from '../meeting.ts';
import { useStore } from '../use-store.ts';
import { recordingText } from './recording-texts.ts';

export type Answers = { [Kind in CaptureKind]?: boolean };

type ChoicesProps = {
  asked: readonly CaptureKind[];
  answers: Answers;
  onAnswer: (kind: CaptureKind, agrees: boolean) => void;
  labels: { agree: string; decline: string };
};

/** The question, whose text a receipt repeats, with an answer for each kind. */
export function useQuestion(meeting: Meeting, asked: readonly CaptureKind[]) {
  const { organization } = useStore(meeting);
  return consentQuestion(asked, organization?.name ?? '', language);
}

export function Terms({ terms }: { terms: readonly string[] }) {
  return (
    <ul className="consent-terms">
      {terms.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Nothing is chosen at first: only an act of the person is an answer. */
export function Choices({ asked, answers, onAnswer, labels }: ChoicesProps) {
  const name = useId();
  return asked.map((kind) => (
    <div
      key={kind}
      className="consent-choice"
      role="radiogroup"
      aria-label={recordingText(`kind.${kind}`)}
    >
      {asked.length > 1 && <strong>{recordingText(`kind.${kind}`)}</strong>}
      {[true, false].map((agrees) => (
        <label key={String(agrees)} className="check">
          <input
            type="radio"
            name={`${name}-${kind}`}
            value={agrees ? 'agree' : 'decline'}
            checked={answers[kind] === agrees}
            onChange={() => onAnswer(kind, agrees)}
          />
          {agrees ? labels.agree : labels.decline}
        </label>
      ))}
    </div>
  ));
}

type JoinQuestionProps = Omit<ChoicesProps, 'labels'> & { meeting: Meeting; missing: boolean };

/** The question as a part of joining. */
export function JoinQuestion({ meeting, missing, ...choices }: JoinQuestionProps) {
  const { title, kinds, terms } = useQuestion(meeting, choices.asked);
  const single = choices.asked.length === 1 && choices.asked[0] === 'recording';
  const labels = single
    ? { agree: recordingText('join.agree'), decline: recordingText('join.decline') }
    : { agree: recordingText('agree'), decline: recordingText('decline') };
  const error = useId();
  return (
    <fieldset className="consent" aria-describedby={error}>
      <legend>{title}</legend>
      {kinds.map(({ kind, text }) => (
        <p key={kind}>{text}</p>
      ))}
      <Choices {...choices} labels={labels} />
      <p id={error} className="field-error" role="alert">
        {missing && recordingText('join.missing')}
      </p>
      <Terms terms={terms} />
    </fieldset>
  );
}
