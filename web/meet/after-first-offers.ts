import { firstOffers } from './first-offers.ts';

/** A slow line keeps nobody from seeing the page. */
const longestWaitMs = 250;

// React needs a twentieth of a second to start on a busy machine. While the answer to an offer is
// on its way nothing else is to be done; before, each moment of it delays the first picture.
await Promise.race([
  firstOffers,
  new Promise((resolve) => {
    setTimeout(resolve, longestWaitMs);
  }),
]);
