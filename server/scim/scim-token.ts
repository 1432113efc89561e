import type { TokenKind } from '#server/platform/tokens.ts';

export const scimToken: TokenKind = { prefix: 'rapport_scim_', secretBytes: 32 };
