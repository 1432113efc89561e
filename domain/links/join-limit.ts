import type { RateLimit } from '#domain/contract.ts';

/** All endpoints that open a guest link share this limit. */
export const joinLimit: RateLimit = { name: 'join', most: 120, windowSeconds: 60 };
