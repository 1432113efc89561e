/**
 * Characters (UTF-16 units) of a call's notes. A longer text is refused with an error message,
 * never cut.
 */
export const longestNotes = 1_200_000;

/** Bytes of one Yjs update of the notes. A page splits more than that into several updates. */
export const longestNotesUpdate = 256 * 1024;

/** Bytes of a call's notes as stored updates: the text, and its edit positions. */
export const mostStoredNotes = 4 * 1024 * 1024;
