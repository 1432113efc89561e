/** Requests of one API token. */
export const apiRate = { most: 600, windowSeconds: 60 } as const;
