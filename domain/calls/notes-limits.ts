/** Characters (UTF-16 units) of a call's notes. A longer text is refused with a sentence, never cut. */
export const longestNotes = 1_200_000;

/** Bytes of one Yjs update of the notes. A page sends more than that in several updates. */
export const longestNotesUpdate = 256 * 1024;

/** Bytes of what is stored of a call's notes as updates: its text, and where it was edited. */
export const mostStoredNotes = 4 * 1024 * 1024;
