import type { ToBrowser } from '#domain/calls/live.ts';
import {
  type ConnectionStatus,
  type Introduction,
  LiveSocket,
  type WebSocketLike,
} from '#web/live/live-socket.ts';

// The meeting's socket says hello on the channel 'meeting' unless its introduction says otherwise.
const panel: Introduction & { channel: 'panel' } = { channel: 'panel' };

export interface PanelSocketOptions {
  token: string;
  openWebSocket: () => WebSocketLike;
  onMessage: (message: ToBrowser) => void;
  onState: (state: ConnectionStatus) => void;
  onRefused: (code: number) => void;
}

/**
 * The line on which the checklist and the notes go: hello, heartbeat, resume and coming back as the
 * meeting's own line has them, on the channel of the panel.
 */
export const openPanelSocket = (options: PanelSocketOptions) =>
  new LiveSocket({ ...options, introduce: () => panel });

export const openWebSocket = (): WebSocketLike =>
  new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/ws`);
