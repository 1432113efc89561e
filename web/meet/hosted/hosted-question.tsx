import { consentQuestion } from '#domain/consent/question.ts';
import { language } from '../../texts/language.ts';
import { recordingText } from '../consent/recording-texts.ts';

interface HostedQuestionProps {
  organization: string;
  onAnswer: (agrees: boolean) => void;
  isBusy?: boolean;
}

/** The question to someone in a hosted call, where one file has everyone. Neither answer is recommended. */
export function HostedQuestion({ organization, onAnswer, isBusy = false }: HostedQuestionProps) {
  const { title, kinds, terms } = consentQuestion(
    ['recording'],
    organization,
    language,
    'together',
  );
  return (
    <section className="hosted-question" aria-label={title}>
      <strong>{title}</strong>
      {kinds.map(({ kind, text }) => (
        <p key={kind}>{text}</p>
      ))}
      <ul>
        {terms.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div className="hosted-answers">
        <button type="button" disabled={isBusy} onClick={() => onAnswer(true)}>
          {recordingText('hosted.agree')}
        </button>
        <button type="button" disabled={isBusy} onClick={() => onAnswer(false)}>
          {recordingText('hosted.decline')}
        </button>
      </div>
    </section>
  );
}
