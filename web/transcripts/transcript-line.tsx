import { Pencil } from 'lucide-react';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { t } from '#web/platform/texts.ts';
import { clockText } from '#web/transcripts/clock-text.ts';
import { Badge } from '#web/ui/badge.tsx';

interface LineProps {
  line: TranscriptLine;
  onSeek?: (ms: number) => void;
  /** Absent for people who may only read. */
  onCorrect?: (line: TranscriptLine) => void;
}

export function Line({ line, onSeek, onCorrect }: LineProps) {
  const { name, kind, text, language, recognizedText, startMs } = line;
  const time = clockText(startMs);
  return (
    // A transcript may have thousands of lines, and few are visible.
    <li className="group break-inside-avoid [contain-intrinsic-size:auto_2.75rem] [content-visibility:auto] print:[content-visibility:visible]">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
        {kind === 'guest' && <Badge look="outline">{t('calls.details.guest')}</Badge>}
        {onSeek ? (
          <button
            type="button"
            className="rounded text-xs text-muted-foreground tabular-nums underline-offset-2 hover:text-foreground hover:underline"
            onClick={() => onSeek(startMs)}
          >
            {time}
          </button>
        ) : (
          <span className="text-xs text-muted-foreground tabular-nums">{time}</span>
        )}
        {recognizedText !== null && (
          <span
            className="text-xs text-muted-foreground"
            title={t('transcript.recognized', { text: recognizedText })}
          >
            {t('transcript.corrected')}
          </span>
        )}
        {onCorrect && (
          <button
            type="button"
            aria-label={t('transcript.correct', { text })}
            title={t('transcript.correctTitle')}
            className="ms-auto grid size-7 place-items-center self-center rounded-md text-muted-foreground group-hover:opacity-100 hover:bg-muted hover:text-foreground focus-visible:opacity-100 pointer-fine:opacity-0 print:hidden"
            onClick={() => onCorrect(line)}
          >
            <Pencil aria-hidden className="size-3.5" />
          </button>
        )}
      </p>
      <p dir="auto" lang={language ?? undefined} className="wrap-anywhere">
        {text}
      </p>
    </li>
  );
}
