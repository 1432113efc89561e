import type { LocalMediaState } from '#web/media/devices/local-media.ts';
import type { IceServers } from '#web/media/webrtc.ts';

/** The result for one thing that a call needs. */
export type Finding =
  | { what: 'server'; ok: boolean; ms: number | null }
  | { what: 'stun' | 'turn'; ok: boolean; url: string; reason: IceReason }
  | { what: 'noStun' | 'noTurn'; ok: false }
  | { what: 'microphone' | 'camera'; ok: boolean };

/** `refused`: reached, but it rejects the credentials. */
export type IceReason = 'reached' | 'refused' | 'unreached';

/** The tests, in the order in which they run and are shown. */
export type Trial = { key: string; find: () => Promise<Finding> };

export type TestedLine = {
  roundTripMs: () => Promise<number | null>;
  iceServers: IceServers;
  media: Pick<LocalMediaState, 'audio' | 'video'>;
};

const longestWaitMs = 8_000;

export function trialsOf({ roundTripMs, iceServers, media }: TestedLine): Trial[] {
  const each = iceServers.flatMap(({ urls, ...credentials }) =>
    [urls].flat().map((url) => ({ ...credentials, url })),
  );
  const stun = each.filter(({ url }) => url.startsWith('stun'));
  const turn = each.filter(({ url }) => url.startsWith('turn'));
  return [
    {
      key: 'server',
      find: async () => {
        const ms = await roundTripMs();
        return { what: 'server', ok: ms !== null, ms };
      },
    },
    ...stun.map((server) => ({ key: server.url, find: () => reach('stun', server) })),
    ...turn.map((server) => ({ key: server.url, find: () => reach('turn', server) })),
    ...(stun.length + turn.length === 0 ? [missing('noStun')] : []),
    ...(turn.length === 0 ? [missing('noTurn')] : []),
    found({ what: 'microphone', ok: media.audio !== null }),
    found({ what: 'camera', ok: media.video !== null }),
  ];
}

const found = (finding: Finding): Trial => ({ key: finding.what, find: async () => finding });
const missing = (what: 'noStun' | 'noTurn') => found({ what, ok: false });

/** Returns a server's address without ICE's terms: `turn:a.example:3478?transport=tcp` is `a.example:3478, TCP`. */
export function addressOf(url: string): string {
  const [, scheme = '', host = url, transport] =
    /^(stun|turn)s?:([^?]*)(?:\?transport=(\w+))?/.exec(url) ?? [];
  if (scheme !== 'turn') return host;
  return `${host}, ${url.startsWith('turns:') ? 'TLS' : (transport ?? 'udp').toUpperCase()}`;
}

type OneServer = { url: string; username?: string | undefined; credential?: string | undefined };

/** Requests a candidate from one server, which proves that it answers (WebRTC 1.0, 4.8). */
async function reach(what: 'stun' | 'turn', server: OneServer): Promise<Finding> {
  const { url, username = '', credential = '' } = server;
  const connection = new RTCPeerConnection({
    iceServers: [what === 'turn' ? { urls: url, username, credential } : { urls: url }],
    ...(what === 'turn' && { iceTransportPolicy: 'relay' as const }),
  });
  try {
    const reason = await answerOf(connection, what === 'turn' ? 'relay' : 'srflx');
    return { what, ok: reason === 'reached', url, reason };
  } finally {
    connection.close();
  }
}

function answerOf(connection: RTCPeerConnection, wanted: RTCIceCandidateType): Promise<IceReason> {
  const { promise, resolve } = Promise.withResolvers<IceReason>();
  let complaint: IceReason | null = null;
  connection.onicecandidate = ({ candidate }) => {
    if (candidate?.type === wanted) resolve('reached');
    // Without NAT there is no other address to report; a server that fails raises an error.
    if (candidate === null) resolve(complaint ?? (wanted === 'srflx' ? 'reached' : 'unreached'));
  };
  connection.onicecandidateerror = ({ errorCode }) => {
    if (errorCode >= 400 && errorCode < 500) complaint = 'refused';
    else complaint ??= 'unreached';
  };
  setTimeout(() => resolve(complaint ?? 'unreached'), longestWaitMs);
  connection.createDataChannel('test');
  connection.setLocalDescription().catch(() => resolve('unreached'));
  return promise;
}
