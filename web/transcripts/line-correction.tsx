import '#web/platform/player-texts.ts';
import { Pencil } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { CallId } from '#domain/ids.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';

const CorrectLineDialog = lazy(() => import('#web/transcripts/correct-line-dialog.tsx'));

/** That a line was corrected, and for those who may edit the call, the button that opens the correction. */
export function LineCorrection({ callId, line }: { callId: CallId; line: TranscriptLine }) {
  const mayCorrect = useMay('calls.update');
  const [isOpen, setOpen] = useState(false);
  const { text, recognizedText } = line;
  return (
    <>
      {recognizedText !== null && (
        <span
          className="text-xs text-muted-foreground"
          title={t('transcript.recognized', { text: recognizedText })}
        >
          {t('transcript.corrected')}
        </span>
      )}
      {mayCorrect && (
        <button
          type="button"
          aria-label={t('transcript.correct', { text })}
          title={t('transcript.correctTitle')}
          className="grid size-7 place-items-center rounded-md text-muted-foreground group-hover:opacity-100 hover:bg-muted hover:text-foreground focus-visible:opacity-100 pointer-fine:opacity-0 print:hidden"
          onClick={() => setOpen(true)}
        >
          <Pencil aria-hidden className="size-3.5" />
        </button>
      )}
      {isOpen && (
        <Suspense>
          <CorrectLineDialog callId={callId} line={line} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
