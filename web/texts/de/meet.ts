import texts from './meet.json';
import refusalTexts from './meet-refusals.json';

/** Every text of the meeting page in German. */
export { texts };

/** Why a guest's link leads nowhere, by the server's `code`. */
export const refusals: Record<string, string> = refusalTexts;
