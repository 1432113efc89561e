import type { ToBrowser } from '#domain/calls/live.ts';
import {
  type ConnectionStatus,
  type Introduction,
  LiveSocket,
  type WebSocketLike,
} from '#web/live/live-socket.ts';

// The default channel of a hello is 'meeting'.
const panel: Introduction & { channel: 'panel' } = { channel: 'panel' };

export interface PanelSocketOptions {
  token: string;
  openWebSocket: () => WebSocketLike;
  onMessage: (message: ToBrowser) => void;
  onState: (state: ConnectionStatus) => void;
  onRefused: (code: number) => void;
  isCalm?: () => boolean;
}

/**
 * The WebSocket for checklist and notes: hello, heartbeat, resume and reconnecting as on the
 * meeting's socket, on the panel channel.
 */
export const openPanelSocket = (options: PanelSocketOptions) =>
  new LiveSocket({ ...options, introduce: () => panel });

export const openWebSocket = (): WebSocketLike =>
  new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/ws`);
