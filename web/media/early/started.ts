import type { EarlyOffer } from './early-offer.ts';

/** Started by the page's first script, for the program to take over. */
export type Started = {
  webSocket: WebSocket;
  /** Null if no device is wanted. */
  devices: { constraints: string; answer: Promise<MediaStream> } | null;
  /** Null if an SFU's client makes the connections. */
  offer: EarlyOffer | null;
};

declare global {
  interface Window {
    rapportStarted?: Started;
  }
}

/** Empty without the first script, as in a test; then everything starts when it is needed. */
export const started = (): Partial<Started> =>
  typeof window === 'undefined' ? {} : (window.rapportStarted ?? {});
