import { useEffect, useRef } from 'react';
import type { CallSession } from '#web/calls/call-session.ts';
import { bindNotes } from '#web/calls/notes-field.ts';
import { SaveStatusLine } from '#web/calls/save-status-line.tsx';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';

export function NotesTab({ session, mayEdit }: { session: CallSession; mayEdit: boolean }) {
  const { notes } = session.edits;
  const field = useRef<HTMLTextAreaElement>(null);
  const { link, storedNotes } = useStore(session);
  const { synced } = useStore(notes);
  useEffect(() => {
    if (field.current) return bindNotes(field.current, notes);
  }, [notes]);
  return (
    <div className="flex h-full flex-col gap-2">
      <SaveStatusLine notes={notes} online={link === 'online'} />
      {!synced && link === 'lost' && storedNotes && (
        <p className="max-h-40 shrink-0 overflow-y-auto rounded-md bg-muted p-3 text-sm break-words whitespace-pre-wrap">
          {storedNotes}
        </p>
      )}
      <textarea
        ref={field}
        readOnly={!mayEdit}
        aria-label={t('call.notesLabel')}
        placeholder={mayEdit ? t('call.notesExample') : t('call.readOnly')}
        className="min-h-24 w-full flex-1 resize-none rounded-md border bg-background p-3 text-sm leading-relaxed placeholder:text-muted-foreground/80"
      />
    </div>
  );
}
