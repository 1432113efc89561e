/** What a logo may be before it is drawn anew, and where it is served from afterwards. */
export const logoMostBytes = 2 * 1024 * 1024;
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const;

/** The path of a logo on this server: public, and nobody guesses it. */
export const logoPath = (id: string) => `/logos/${id}.png`;

/** The file that a path's last part names, or null. */
export const logoIdOf = (name: string): string | null => name.match(/^([\w-]+)\.png$/)?.[1] ?? null;
