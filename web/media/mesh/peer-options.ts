import type { Signal } from '#domain/calls/signal.ts';
import type { EarlyOffer } from '../early/early-offer.ts';
import type { PeerView } from '../peer-view.ts';
import type { Connection, Tracks } from '../webrtc.ts';

export type PeerOptions = {
  /** When both sides offer simultaneously, the polite one accepts the other offer (W3C WebRTC 1.0, 10.7). */
  polite: boolean;
  /** Whether a signal sent now would arrive. */
  reachable: () => boolean;
  makeConnection: () => Connection;
  beginOffer: () => EarlyOffer;
  newId: () => string;
  send: (signal: Signal) => boolean;
  tracks: () => Tracks;
  onView: (view: PeerView) => void;
};
