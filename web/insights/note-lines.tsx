import { Fragment } from 'react';

/** Returns the fragment of a line of the notes on a call's page, from 1. */
export const noteFragment = (line: number) => `note-${line}`;

/** Notes, each line of which can be linked to. */
export function NoteLines({ notes }: { notes: string }) {
  return (
    <p className="text-sm wrap-anywhere whitespace-pre-wrap">
      {notes.split('\n').map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
        <Fragment key={at}>
          {at > 0 && '\n'}
          <span
            id={noteFragment(at + 1)}
            className="scroll-mt-24 rounded-sm target:bg-brand/15 target:ring-4 target:ring-brand/15"
          >
            {line}
          </span>
        </Fragment>
      ))}
    </p>
  );
}
