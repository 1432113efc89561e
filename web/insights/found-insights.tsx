import '#web/platform/player-texts.ts';
import type { ReactNode } from 'react';
import type { CallId } from '#domain/ids.ts';
import type { AskedQuestion, Insights, Statement } from '#domain/insights/contract.ts';
import type { Talker } from '#domain/insights/talk.ts';
import { CitationLink, MomentLink } from '#web/insights/citation-link.tsx';
import { t } from '#web/platform/texts.ts';
import { timeText } from '#web/player/time-text.ts';

/** The statements about a call, each with links to what it is based on. */
export function FoundInsights({ callId, insights }: { callId: CallId; insights: Insights }) {
  const { summary, topics, questions, talk } = insights;
  const open = questions?.filter(({ isOpen }) => isOpen) ?? [];
  const answered = questions?.filter(({ isOpen }) => !isOpen) ?? [];
  return (
    <>
      {summary && summary.length > 0 && <Statements callId={callId} statements={summary} />}
      {topics && topics.length > 0 && (
        <Group title={t('assistant.summary.topics')}>
          <ul className="flex flex-wrap gap-2">
            {topics.map((topic) => (
              <li
                key={topic.text}
                className="flex flex-wrap items-baseline gap-x-2 rounded-md border px-2.5 py-1 text-sm wrap-anywhere"
              >
                {topic.text}
                <Citations
                  callId={callId}
                  statement={{ ...topic, cites: topic.cites.slice(0, 1) }}
                />
              </li>
            ))}
          </ul>
        </Group>
      )}
      <Questions title={t('assistant.summary.open')} callId={callId} questions={open} />
      <Questions title={t('assistant.summary.answered')} callId={callId} questions={answered} />
      {talk && talk.length > 0 && (
        <Group title={t('assistant.summary.talk')}>
          <ul className="grid gap-3">
            {talk.map((talker) => (
              <TalkShare key={talker.participantId} callId={callId} talker={talker} />
            ))}
          </ul>
        </Group>
      )}
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

interface QuestionsProps {
  title: string;
  callId: CallId;
  questions: readonly AskedQuestion[];
}

function Questions({ title, callId, questions }: QuestionsProps) {
  if (questions.length === 0) return null;
  return (
    <Group title={title}>
      <Statements callId={callId} statements={questions} />
    </Group>
  );
}

function Statements({ callId, statements }: { callId: CallId; statements: readonly Statement[] }) {
  return (
    <ul className="grid gap-2.5">
      {statements.map((statement) => (
        <li key={statement.text} className="grid gap-0.5 border-l-2 pl-3 text-sm wrap-anywhere">
          {statement.text}
          <Citations callId={callId} statement={statement} />
        </li>
      ))}
    </ul>
  );
}

function Citations({ callId, statement }: { callId: CallId; statement: Statement }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {statement.cites.map((citation) => (
        <CitationLink
          key={citation.kind === 'line' ? citation.lineId : `${citation.line} ${citation.quote}`}
          callId={callId}
          citation={citation}
        />
      ))}
    </span>
  );
}

function TalkShare({ callId, talker }: { callId: CallId; talker: Talker }) {
  const { name, share, talkMs, longestMs, longestStartMs } = talker;
  const percent = Math.round(share * 100);
  return (
    <li className="grid gap-1 text-sm">
      <span className="flex justify-between gap-3">
        <span className="min-w-0 wrap-anywhere">{name}</span>
        <span className="shrink-0 text-muted-foreground tabular-nums">
          {timeText(talkMs)} · {t('assistant.summary.share', { percent })}
        </span>
      </span>
      <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-muted">
        <span className="block h-full rounded-full bg-brand" style={{ width: `${percent}%` }} />
      </span>
      <span className="flex flex-wrap gap-x-3 text-xs text-muted-foreground">
        {t('assistant.summary.longest', { duration: timeText(longestMs) })}
        <MomentLink callId={callId} startMs={longestStartMs} />
      </span>
    </li>
  );
}
