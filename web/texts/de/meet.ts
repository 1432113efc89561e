import texts from './meet.json';
import refusalTexts from './meet-refusals.json';

/** Every German text of the meeting page. */
export { texts };

/** The reasons why a guest link does not work, by the server's `code`. */
export const refusals: Record<string, string> = refusalTexts;
