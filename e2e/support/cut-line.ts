import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '#server/testing/free-port.ts';

/** A TCP relay to the program that can be cut like a cable. */
export interface CutLine {
  url: string;
  /** Blocks all packets from now on, without closing open connections: as when a network is lost. */
  cut(): void;
  /** New connections work again; the old ones are dead. */
  mend(): void;
  close(): Promise<void>;
}

export async function openCutLine(target: string): Promise<CutLine> {
  const { port: targetPort } = new URL(target);
  const port = await freePort();
  const open = new Set<[Socket, Socket]>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(targetPort), '127.0.0.1');
    const pair: [Socket, Socket] = [near, far];
    open.add(pair);
    near.pipe(far);
    far.pipe(near);
    const end = () => {
      open.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${port}`,
    cut: () => {
      isCut = true;
      for (const [near, far] of open) {
        near.unpipe(far);
        far.unpipe(near);
        near.pause();
        far.pause();
      }
    },
    mend: () => {
      isCut = false;
      for (const [near, far] of open) {
        near.destroy();
        far.destroy();
      }
    },
    close: async () => {
      for (const [near, far] of open) {
        near.destroy();
        far.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
