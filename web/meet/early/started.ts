import type { EarlyOffer } from './early-offer.ts';

/** What the page's first script has begun, for the program to take over. */
export type Started = {
  webSocket: WebSocket;
  /** Null where nothing is to be asked for. */
  devices: { constraints: string; answer: Promise<MediaStream> } | null;
  /** Null where a media server's client makes the connections. */
  offer: EarlyOffer | null;
};

declare global {
  interface Window {
    rapportStarted?: Started;
  }
}

/** Without the first script, as in a test, everything begins when it is needed. */
export const started = (): Partial<Started> =>
  typeof window === 'undefined' ? {} : (window.rapportStarted ?? {});
