import type { RateLimit } from '#domain/contract.ts';

/** Whatever opens a guest link counts together. */
export const joinLimit: RateLimit = { name: 'join', most: 120, windowSeconds: 60 };
