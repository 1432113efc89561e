import type { TokenKind } from '#server/platform/tokens.ts';

/** Of an invitation link. */
export const invitationToken: TokenKind = { prefix: '', secretBytes: 24 };
