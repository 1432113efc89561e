import { DomainError } from '#domain/errors.ts';
import type { Refusal } from './notes-document.ts';

const sentences = {
  bad_note: ['invalid', 'We couldn’t read this edit to the notes.'],
  notes_too_long: [
    'too_large',
    'These notes are too long to save. Please keep them under 1,200,000 characters.',
  ],
  notes_too_large: [
    'too_large',
    'These notes and their edits are too large to save. Please shorten them.',
  ],
  notes_too_complex: [
    'too_large',
    'This edit of the notes is too complex to save. Please copy the text, reload the page and paste it.',
  ],
  nul_character: ['invalid', 'Please remove the NUL character.'],
} as const satisfies Record<Refusal, readonly ['invalid' | 'too_large', string]>;

export function refusalOf(code: Refusal): DomainError {
  const [kind, message] = sentences[code];
  return new DomainError(kind, code, message);
}

export const takesTooLong = () => refusalOf('notes_too_complex');

/** The text is stored beside the document, and the call's page shows it. */
export const cannotBeOpened = () =>
  new DomainError(
    'unavailable',
    'notes_cannot_be_opened',
    'We can’t open these notes for editing. You can read them on the call’s page.',
  );

export const updateTooLarge = () =>
  new DomainError(
    'too_large',
    'notes_update_too_large',
    'That’s too much text at once. Please add it in smaller parts.',
  );
