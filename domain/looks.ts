/** How pages look and speak is kept in cookies, so that the server can write it into the page. */
export const themes = ['light', 'dark'] as const;
/** What was chosen; the system's own where nothing was. */
export type Theme = (typeof themes)[number];

export const themeCookie = 'rapport_theme';
export const languageCookie = 'rapport_language';
export const looksCookieSeconds = 31_536_000;
