import { CloudOff } from 'lucide-react';
import type { NotesDoc } from '#web/calls/notes-doc.ts';
import { savedAgo, saveStatus } from '#web/calls/save-status.ts';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';
import { useNow } from '#web/platform/use-now.ts';

export function SaveStatusLine({ notes, online }: { notes: NotesDoc; online: boolean }) {
  const state = useStore(notes);
  const now = useNow(1000);
  const { unsaved, savedAt, refused } = state;
  const settled = !unsaved && refused === null && savedAt !== null;
  return (
    <div className="flex min-h-5 flex-wrap justify-between gap-x-3 text-xs text-muted-foreground">
      <span role="status" className={refused ? 'text-destructive' : undefined}>
        {saveStatus(state)}
      </span>
      {settled && <span>{t('call.status.lastSaved', { time: savedAgo(savedAt, now) })}</span>}
      {unsaved && !online && (
        <span className="flex basis-full items-start gap-1.5 text-warning">
          <CloudOff aria-hidden className="mt-px size-3.5 shrink-0" />
          {t('call.notConnected')}
        </span>
      )}
    </div>
  );
}
