import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import type { ConnectionStatus } from '#web/live/live-socket.ts';
import type { Roster } from '#web/live/roster.ts';
import type { PeerConnection } from '../mesh/peer-connection.ts';
import type { MonitoredConnection } from '../monitored-connection.ts';
import type { Views } from '../transport.ts';

/** The parts of a meeting that the network watch needs: its connections, roster, and socket. */
export type MeetingConnections = {
  /** By the participant at the other end. */
  readonly monitored: ReadonlyMap<string, MonitoredConnection>;
  /** The peer connections of the mesh, by the participant at the other end. */
  readonly peerConnections: ReadonlyMap<string, PeerConnection>;
  getSnapshot(): { roster: Roster; views: Views; connection: ConnectionStatus };
  subscribe(listener: () => void): () => void;
  /** @returns whether the message was sent */
  send(message: ToServer): boolean;
  /** Calls the listener with each message of the server, once the meeting has handled it. */
  onMessage(listener: (message: ToBrowser) => void): void;
  /** Told once the connections are judged each second. */
  readonly calm: { begin(): void };
};
