import type { WebSocketLike } from '#web/live/live-socket.ts';
import type { Store } from '#web/live/store.ts';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import type { ConnectionMaker } from '#web/media/mesh/connection-maker.ts';
import type { MakeSfuTransport } from '#web/media/sfu/sfu-transport.ts';
import type { Connection } from '#web/media/webrtc.ts';
import type { CredentialsOptions } from './credentials.ts';
import type { Frame } from './frame.ts';
import type { MeetingState } from './meeting-state.ts';

/** What a meeting uses of the browser; a test passes fakes. */
export type MeetingOptions = CredentialsOptions & {
  media: LocalMedia;
  frame: Frame;
  deviceStorage: Storage;
  openWebSocket: () => WebSocketLike;
  connections: Pick<ConnectionMaker, 'beginOffer' | 'earlyOffer' | 'prepare' | 'use'> & {
    make: () => Connection;
  };
  loadSfuTransport: () => Promise<MakeSfuTransport>;
  /** The devices wait for this if the page joins without a preview. */
  beforeDevices?: (meeting: Store<MeetingState>) => Promise<void>;
  newId: () => string;
  /** The host name of the page's address. */
  hostname: string;
};
