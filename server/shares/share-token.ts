import type { TokenKind } from '#server/platform/tokens.ts';

/** Of a shared recording. */
export const shareToken: TokenKind = { prefix: '', secretBytes: 24 };
