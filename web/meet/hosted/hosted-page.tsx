import './hosted.css';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { readChoice, rememberChoice } from '#web/media/devices/remembered-choice.ts';
import { openStorage } from '#web/storage/open-storage.ts';
import { LegalLinks } from '#web/ui/legal-links.tsx';
import { applyBrand } from '../brand.ts';
import { openWebSocket } from '../early/early-web-socket.ts';
import type { Ending } from '../ending.ts';
import { laterText } from '../later-texts.ts';
import { OrganizationMast } from '../organization-mast.tsx';
import { longestName, ownName } from '../own-name.ts';
import { refusalText, text } from '../texts.ts';
import { useHeadingFocus } from '../use-heading-focus.ts';
import { useStore } from '../use-store.ts';
import type { HostedFailure } from './daily-failure.ts';
import { type HostedEntry, HostedJoin, type HostedPhase } from './hosted-join.ts';
import { HostedQuestion } from './hosted-question.tsx';
import { RecordingBar } from './recording-bar.tsx';

/** A guest's page of a hosted call: first the organization and the guest's name, then the provider's page. */
export default function HostedPage({ entry }: { entry: HostedEntry }) {
  const { organization, room } = entry;
  const [visit] = useState(
    () => new HostedJoin({ entry, openWebSocket, tabStorage: openStorage(() => sessionStorage) }),
  );
  const { phase } = useStore(visit);
  useEffect(() => {
    applyBrand(document.documentElement, organization.brandColor);
    const close = () => visit.pageCloses();
    window.addEventListener('pagehide', close);
    return () => window.removeEventListener('pagehide', close);
  }, [visit, organization.brandColor]);
  return (
    <div className="hosted-page" data-at={phase.at}>
      <title>{text('title', { topic: room.topic, organization: organization.name })}</title>
      <OrganizationMast organization={organization} />
      <Phase phase={phase} visit={visit} topic={room.topic} />
    </div>
  );
}

function Phase({ phase, visit, topic }: { phase: HostedPhase; visit: HostedJoin; topic: string }) {
  if (phase.at === 'form') return <NameForm phase={phase} visit={visit} topic={topic} />;
  if (phase.at === 'question') return <Question phase={phase} visit={visit} topic={topic} />;
  if (phase.at === 'call') {
    return (
      <>
        {visit.recording && <RecordingBar recording={visit.recording} />}
        <CallFrame key={phase.meetingToken} phase={phase} visit={visit} />
      </>
    );
  }
  if (phase.at === 'ended') return <Ended ending={phase.ending} onAgain={() => visit.again()} />;
  return <Failed failure={phase.failure} onAgain={() => visit.again()} />;
}

interface NameFormProps {
  phase: Extract<HostedPhase, { at: 'form' }>;
  visit: HostedJoin;
  topic: string;
}

function NameForm({ phase: { problem, isAsking }, visit, topic }: NameFormProps) {
  const id = useId();
  const [typed, setTyped] = useState(
    () => visit.givenName ?? (visit.name || (readChoice(storage()).name ?? '')),
  );
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const name = ownName(typed);
    setIsMissing(name === null);
    if (name === null) return field.current?.focus();
    if (visit.givenName === null) rememberChoice(storage(), { ...readChoice(storage()), name });
    void visit.enter(name);
  }

  return (
    <main className="ending">
      <h1>{topic}</h1>
      <form onSubmit={submit} noValidate>
        <div className="field">
          <label htmlFor={id}>{text('join.name')}</label>
          <input
            id={id}
            ref={field}
            name="name"
            autoComplete="name"
            required
            readOnly={visit.givenName !== null}
            maxLength={longestName}
            placeholder={text('join.nameHint')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            aria-invalid={isMissing}
            aria-describedby={`${id}-error`}
          />
          <p id={`${id}-error`} className="field-error" role="alert">
            {isMissing && text('join.nameMissing')}
            {problem && problemText(problem)}
          </p>
        </div>
        <button type="submit" className="primary" disabled={isAsking}>
          {isAsking ? laterText('hosted.joining') : text('join.button')}
        </button>
      </form>
      <LegalLinks privacy={text('legal.privacy')} terms={text('legal.terms')} className="legal" />
    </main>
  );
}

interface QuestionProps {
  phase: Extract<HostedPhase, { at: 'question' }>;
  visit: HostedJoin;
  topic: string;
}

function Question({ phase: { problem, isAsking }, visit, topic }: QuestionProps) {
  const heading = useHeadingFocus();
  return (
    <main className="ending">
      <h1 ref={heading} tabIndex={-1}>
        {topic}
      </h1>
      <HostedQuestion
        organization={visit.organization}
        isBusy={isAsking}
        onAnswer={(agrees) => void visit.answer(agrees)}
      />
      <p className="field-error" role="alert">
        {problem && problemText(problem)}
      </p>
    </main>
  );
}

const storage = () => openStorage(() => localStorage);

const problemText = ({ code, message }: { code: string; message: string }) =>
  code === 'unreachable' ? laterText('hosted.failed.unreachable.text') : refusalText(code, message);

const permissions = 'camera; microphone; fullscreen; display-capture; autoplay; clipboard-write';

interface CallFrameProps {
  phase: Extract<HostedPhase, { at: 'call' }>;
  visit: HostedJoin;
}

function CallFrame({ phase, visit }: CallFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const isLoaded = useRef(false);
  useEffect(() => {
    if (frame.current === null || isLoaded.current) return;
    isLoaded.current = true;
    void visit.load(frame.current, phase);
  }, [visit, phase]);
  return (
    <iframe
      ref={frame}
      className="hosted-frame"
      title={laterText('hosted.frameTitle')}
      allow={permissions}
    />
  );
}

/** After these endings, joining again makes sense. */
const comesBack: readonly Ending[] = ['left', 'callEnded', 'badMessage', 'locked', 'replaced'];

function Ended({ ending, onAgain }: { ending: Ending; onAgain: () => void }) {
  const heading = useHeadingFocus();
  return (
    <main className="ending" data-ending={ending}>
      <h1 ref={heading} tabIndex={-1}>
        {text(`ending.${ending}.title`)}
      </h1>
      <p>{text(`ending.${ending}.text`)}</p>
      {comesBack.includes(ending) && (
        <button type="button" className="primary" onClick={onAgain}>
          {text(ending === 'replaced' ? 'ending.useHere' : 'ending.rejoin')}
        </button>
      )}
    </main>
  );
}

function Failed({ failure, onAgain }: { failure: HostedFailure; onAgain: () => void }) {
  const heading = useHeadingFocus();
  return (
    <main className="ending" data-failure={failure}>
      <h1 ref={heading} tabIndex={-1}>
        {laterText(`hosted.failed.${failure}.title`)}
      </h1>
      <p>{laterText(`hosted.failed.${failure}.text`)}</p>
      {failure !== 'sentOut' && (
        <button type="button" className="primary" onClick={onAgain}>
          {text('ending.tryAgain')}
        </button>
      )}
    </main>
  );
}
