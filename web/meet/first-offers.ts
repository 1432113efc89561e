let sent = () => {};

/** Settled when the first offers are out, or when there is nobody to offer to. */
export const firstOffers = new Promise<void>((resolve) => {
  sent = resolve;
});

export const firstOffersAreOut = (): void => sent();
