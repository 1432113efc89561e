import type { NotesDoc } from '#web/calls/notes-doc.ts';
import { movedCaret, textDifference } from '#web/calls/text-difference.ts';

/**
 * Joins a textarea to the shared notes: what is typed becomes edits of the text, and what others
 * write appears without moving the caret from its letters. Returns how to part them.
 */
export function bindNotes(field: HTMLTextAreaElement, notes: NotesDoc): () => void {
  field.value = notes.text;

  const typed = () => notes.edit(textDifference(notes.text, field.value, field.selectionEnd));
  const composing = () => notes.hold();
  const composed = () => {
    typed();
    notes.release();
  };
  const stopHearing = notes.onRemoteChange((delta) => {
    const { selectionStart, selectionEnd, selectionDirection, scrollTop } = field;
    field.value = notes.text;
    field.setSelectionRange(
      movedCaret(selectionStart, delta),
      movedCaret(selectionEnd, delta),
      selectionDirection,
    );
    field.scrollTop = scrollTop;
  });

  field.addEventListener('input', typed);
  field.addEventListener('compositionstart', composing);
  field.addEventListener('compositionend', composed);
  return () => {
    field.removeEventListener('input', typed);
    field.removeEventListener('compositionstart', composing);
    field.removeEventListener('compositionend', composed);
    stopHearing();
    notes.release();
  };
}
