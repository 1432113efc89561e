import '#web/platform/player-texts.ts';
import { clsx } from 'clsx';
import { Link } from 'react-router';
import type { Citation } from '#domain/ai/evidence.ts';
import type { CallId } from '#domain/ids.ts';
import { callDetailsPath } from '#web/calls/paths.ts';
import { noteFragment } from '#web/insights/note-lines.tsx';
import { t } from '#web/platform/texts.ts';
import { timeText } from '#web/player/time-text.ts';

const look =
  'inline-flex w-fit rounded-sm text-xs text-muted-foreground underline decoration-dotted underline-offset-2';

interface CitationLinkProps {
  callId: CallId;
  citation: Citation;
}

/** Leads to the second of the call, or the line of the notes, that a statement is based on. */
export function CitationLink({ callId, citation }: CitationLinkProps) {
  if (citation.kind === 'line') {
    const { startMs, speaker, quote } = citation;
    return <MomentLink callId={callId} startMs={startMs} speaker={speaker} quote={quote} />;
  }
  const { line, quote } = citation;
  if (line === null)
    return (
      <span title={quote} className="text-xs text-muted-foreground">
        {t('assistant.summary.notes')}
      </span>
    );
  // The browser's own link to a fragment, so that it shows the target.
  return (
    <a
      href={`${callDetailsPath(callId)}#${noteFragment(line)}`}
      title={quote}
      className={clsx(look, 'hover:text-foreground')}
    >
      {t('assistant.summary.note', { line })}
    </a>
  );
}

interface MomentLinkProps {
  callId: CallId;
  startMs: number;
  speaker?: string;
  quote?: string;
}

/** Leads to a second of the call. */
export function MomentLink({ callId, startMs, speaker, quote }: MomentLinkProps) {
  const time = timeText(startMs);
  return (
    <Link
      to={`${callDetailsPath(callId)}?t=${Math.floor(startMs / 1000)}`}
      title={quote}
      className={clsx(look, 'hover:text-foreground')}
    >
      {speaker
        ? t('assistant.summary.atBy', { time, name: speaker })
        : t('assistant.summary.at', { time })}
    </Link>
  );
}
