/** Theme and language are stored in cookies, so that the server can write them into the page. */
export const themes = ['light', 'dark'] as const;
/** The chosen theme. Without a choice, the system's theme is used. */
export type Theme = (typeof themes)[number];

export const themeCookie = 'rapport_theme';
export const languageCookie = 'rapport_language';
export const looksCookieSeconds = 31_536_000;
