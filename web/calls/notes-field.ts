import type { NotesDoc } from '#web/calls/notes-doc.ts';
import { movedCaret, textDifference } from '#web/calls/text-difference.ts';

/**
 * Binds a textarea to the shared notes: typing becomes edits of the text, and changes of others
 * appear without moving the caret from its letters. Returns a function that unbinds it.
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
