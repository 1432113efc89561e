import { createSocket, type Socket } from 'node:dgram';

/** Limits on the packets from each browser; packets to it pass freely, except during a cut. */
export interface Badness {
  kbitsPerSecond?: number;
  lossPercent?: number;
}

/** A network that can be degraded: a UDP relay in front of a TURN server. */
export interface BadNetwork {
  /** The TURN server's address through this relay. */
  turnUrl: string;
  /** Applies from now on; an empty value restores the network. */
  be(badness: Badness): void;
  cut(): void;
  mend(): void;
  close(): void;
}

/** A packet that waits longer than this in a narrow network is dropped, as routers do. */
const longestQueueMs = 400;

export async function openBadNetwork(turnUrl: string): Promise<BadNetwork> {
  const port = Number(/:(\d+)\?/.exec(turnUrl)?.[1]);
  const ways = new Map<number, { far: Socket; freeAt: number }>();
  let badness: Badness = {};
  let isCut = false;
  const near = createSocket('udp4');
  near.on('message', (data, { port: from }) => {
    const way = ways.get(from) ?? openWay(from);
    const wait = isCut ? null : waitFor(way, data.length, badness);
    if (wait !== null) setTimeout(() => send(way.far, data, port), wait);
  });
  function openWay(from: number) {
    const far = createSocket('udp4');
    far.on('message', (data) => {
      if (!isCut) send(near, data, from);
    });
    const way = { far, freeAt: 0 };
    ways.set(from, way);
    return way;
  }
  await new Promise<void>((resolve) => near.bind(0, '127.0.0.1', resolve));
  return {
    turnUrl: `turn:127.0.0.1:${near.address().port}?transport=udp`,
    be: (now) => {
      badness = now;
    },
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
    close: () => {
      isCut = true;
      for (const socket of [near, ...[...ways.values()].map(({ far }) => far)]) socket.close();
    },
  };
}

/** @returns milliseconds until the packet passes, or null if it is lost */
function waitFor(way: { freeAt: number }, bytes: number, badness: Badness): number | null {
  if (Math.random() * 100 < (badness.lossPercent ?? 0)) return null;
  if (badness.kbitsPerSecond === undefined) return 0;
  const now = performance.now();
  const through = Math.max(now, way.freeAt) + (bytes * 8) / badness.kbitsPerSecond;
  if (through - now > longestQueueMs) return null;
  way.freeAt = through;
  return through - now;
}

function send(socket: Socket, data: Buffer, port: number): void {
  try {
    socket.send(data, port, '127.0.0.1');
  } catch {
    // Closed meanwhile.
  }
}
