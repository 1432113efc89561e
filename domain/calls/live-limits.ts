/** The version and the limits of the live protocol (live.ts) that pages read, too: a file without zod. */
export const protocolVersion = 1;

/** Reactions without text. */
export const reactions = ['👍', '👏', '❤️', '😂', '😮', '🎉'] as const;
export type Reaction = (typeof reactions)[number];

/** Characters (UTF-16 units) of one chat message. */
export const longestChatMessage = 2000;

/** Characters (UTF-16 units) of the text that a host sends to a guest in the lobby. */
export const longestLobbyLine = 300;
