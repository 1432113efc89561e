/** A disconnected connection gets this long before ICE restarts. */
export const interruptedMs = 1_000;
/** Not connected after this long, a message was lost: offer a new connection. The polite side waits longer. */
export const startOverMs = { polite: 6_000, impolite: 4_000 };
export const longestStartOverMs = 15_000;
/** A replaced connection shows its video at most this long beside the new one. */
export const longestOverlapMs = 3_000;
/** The other side's new video may arrive later than this side's; until then it shows the old one. */
export const othersOverlapMs = 1_500;
/** How long to wait for an offer that the other side should make. */
export const awaitOfferMs = { polite: 2_500, impolite: 1_500 };
