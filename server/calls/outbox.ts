import type { WebSocket } from 'ws';
import { loopTurns } from '#server/platform/loop-turns.ts';
import { type Said, say } from './open-sockets.ts';

interface Waiting {
  isLong: boolean;
  write: () => void;
}

/**
 * Writes what one socket is sent, in order. A long message may go to hundreds of sockets at once, so that it takes
 * turns with what others cause (loop-turns.ts): some sockets in each iteration of the loop.
 */
export class Outbox {
  readonly socket: WebSocket;
  readonly #payer: string;
  readonly #waiting: Waiting[] = [];

  constructor(socket: WebSocket, orgId: string) {
    this.socket = socket;
    this.#payer = `${orgId} long messages`;
  }

  /** Writes a message with its number, as `say` (open-sockets.ts). */
  say(sequence: number, said: Said): void {
    const isLong = typeof said !== 'string';
    this.#add({ isLong, write: () => say(this.socket, sequence, said) });
  }

  send(text: string): void {
    this.#add({ isLong: false, write: () => this.socket.send(text) });
  }

  /** Closes the socket after what it is sent. */
  close(code: number, reason: string): void {
    this.#add({ isLong: false, write: () => this.socket.close(code, reason) });
  }

  #add(next: Waiting): void {
    this.#waiting.push(next);
    if (this.#waiting.length === 1) this.#writeOn();
  }

  /** Writes until there is nothing more, or a long message must wait. */
  #writeOn(): void {
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const turn = next.isLong ? loopTurns.wait(this.#payer) : undefined;
      if (turn) {
        void turn.then(() => {
          this.#writeFirst();
          this.#writeOn();
        });
        return;
      }
      this.#writeFirst();
    }
  }

  #writeFirst(): void {
    this.#waiting.shift()?.write();
  }
}
