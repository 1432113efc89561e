import { WebSocket } from 'ws';
import { wait } from './eventually.ts';
import type { Person } from './person.ts';

/** Measures another person's requests, one every 100 ms, while `during` runs: maximum and average time. */
export async function worstFor<T>(other: Person, during: () => Promise<T>) {
  let isOver = false;
  let worst = 0;
  let asked = 0;
  let sum = 0;
  const watching = (async () => {
    while (!isOver) {
      const { ms } = await other.send('GET', '/api/rooms');
      worst = Math.max(worst, ms);
      asked += 1;
      sum += ms;
      await wait(100);
    }
  })();
  const result = await during().finally(() => {
    isOver = true;
  });
  await watching;
  return { result, worst, asked, mean: Math.round(sum / Math.max(1, asked)) };
}

/** Keeps `atOnce` requests running, for so many seconds. */
export async function keepSending(atOnce: number, seconds: number, send: () => Promise<unknown>) {
  const end = Date.now() + seconds * 1000;
  let sent = 0;
  const one = async () => {
    while (Date.now() < end) {
      await send().catch(() => null);
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return sent;
}

/** Opens a WebSocket that sends nothing; null if the upgrade was refused. */
export function idleSocket(live: string, from: string): Promise<WebSocket | null> {
  const socket = new WebSocket(`${live}/ws`, { headers: { 'x-forwarded-for': from } });
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket));
    socket.on('error', () => resolve(null));
  });
}

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
