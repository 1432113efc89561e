/** A slow line keeps nobody from seeing the page. */
const longestWaitMs = 250;

let sent = () => {};

/** Settled when the first offers are out, when there are none to wait for, or soon anyway. */
export const firstOffers = new Promise<void>((resolve) => {
  sent = resolve;
  setTimeout(resolve, longestWaitMs);
});

export const firstOffersAreOut = (): void => sent();
