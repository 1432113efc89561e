/** Limits of an uploaded logo, before it is decoded and drawn again, and the path that serves it. */
export const logoMostBytes = 2 * 1024 * 1024;
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const;

/** The path of a logo on this server: public, with an id that cannot be guessed. */
export const logoPath = (id: string) => `/logos/${id}.png`;

/** Returns the file id in a path's last part, or null. */
export const logoIdOf = (name: string): string | null => name.match(/^([\w-]+)\.png$/)?.[1] ?? null;
