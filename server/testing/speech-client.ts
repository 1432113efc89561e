import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import { captureId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import type { TestApp } from './open-test-app.ts';
import { storeConsent } from './stored-consent.ts';

const sample = (name: string) =>
  new Uint8Array(
    readFileSync(new URL(`../transcripts/cutting/samples/${name}.webm`, import.meta.url)),
  );

/** What Chromium recorded: two sentences with a pause, and pink noise. */
export const recordings = { speech: sample('two-phrases'), noise: sample('pink-noise') };

/** A page's end of `/ws/speech`. */
export class SpeechClient {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  /** What the server answered to hello. */
  first = '';

  constructor(url: string) {
    this.socket = new WebSocket(`${url}/ws/speech`);
    this.closed = new Promise((resolve) => {
      this.socket.once('close', resolve);
      this.socket.once('error', () => resolve(0));
    });
  }

  /** Returns 'ready', or the code that refuses the socket. */
  async hello(token: string): Promise<'ready' | number> {
    await once(this.socket, 'open');
    this.say({ type: 'hello', protocol: 1, token });
    const ready = once(this.socket, 'message').then(([data]) => {
      this.first = String(data);
      return 'ready' as const;
    });
    return Promise.race([ready, this.closed]);
  }

  say(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Sends a recording in slices of any length. */
  play(recording: Uint8Array, ageMs = 0): this {
    this.say({ type: 'begin', ageMs });
    for (let at = 0; at < recording.length; at += 700) {
      this.socket.send(recording.slice(at, at + 700));
    }
    return this;
  }
}

/** Begins the transcript of a call, and stores the answer of each participant to it. */
export async function captureTranscript(
  app: TestApp,
  call: { id: string },
  ...participants: string[]
): Promise<void> {
  await app.owner.query(
    `insert into captures (id, org_id, call_id, kind)
     select $1, org_id, id, 'transcript' from calls where id = $2`,
    [newId(captureId), call.id],
  );
  for (const participant of participants) await answer(app, call, participant, true);
}

/** Stores an answer to the question of consent. */
export async function answer(
  app: TestApp,
  call: { id: string },
  participant: string,
  agrees: boolean,
): Promise<void> {
  await storeConsent(app, {
    ...{ callId: call.id, participantId: participant, kind: 'staff', asked: ['transcript'] },
    agreed: agrees ? ['transcript'] : [],
  });
}

export const stopTranscript = (app: TestApp, call: { id: string }) =>
  app.owner.query('update captures set stopped_at = now() where call_id = $1', [call.id]);
