import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { hostUrl, type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

let program: Program;
let prepared: Prepared;
let callId: string;
const open: Person[] = [];
beforeAll(async () => {
  program = await startProgram();
  prepared = await prepareRoom(program.url, 'Recognized');
  const { user, roomId } = prepared;
  const settings = { browserRecognition: true, transcript: 'start' };
  await user.send('PUT', '/api/capture-settings', settings);
  callId = (await user.send<{ id: string }>('POST', '/api/calls', { roomId })).id;
});
afterAll(async () => {
  await Promise.all(open.map((person) => person.close()));
  if (program) await discard(program);
});

declare const sayToRecognizer: (text: string) => string;

/** Runs in the page: a browser that recognizes speech on the device once it has loaded the language. */
function standInForRecognition(): void {
  const running = new Set<Recognition>();
  let isLoaded = false;
  class Recognition {
    onresult: ((event: object) => void) | null = null;
    onend: (() => void) | null = null;
    track: MediaStreamTrack | null = null;
    isLocal = false;
    static available = async ({ processLocally }: { processLocally?: boolean }) =>
      processLocally && isLoaded ? 'available' : 'downloadable';
    static install = async () => {
      isLoaded = true;
      return true;
    };
    set processLocally(isLocal: boolean) {
      this.isLocal = isLocal;
    }
    start(track: MediaStreamTrack) {
      this.track = track;
      if (this.isLocal) running.add(this);
    }
    abort() {
      running.delete(this);
    }
  }
  const say = (transcript: string) => {
    for (const { onresult } of running) {
      onresult?.({ resultIndex: 0, results: [{ isFinal: true, 0: { transcript } }] });
    }
    return [...running].map(({ track }) => track?.kind).join();
  };
  Object.defineProperty(globalThis, 'SpeechRecognition', { value: Recognition });
  Object.defineProperty(globalThis, 'sayToRecognizer', { value: say });
}

test('what a participant’s own browser recognizes is captioned, and no sound is sent', async () => {
  const ada = await openBrowser();
  open.push(ada);
  const { page } = ada;
  await ada.context.addInitScript(standInForRecognition);
  const sent: (string | Buffer)[] = [];
  page.on('websocket', (socket) => {
    if (socket.url().endsWith('/ws/speech'))
      socket.on('framesent', ({ payload }) => sent.push(payload));
  });
  await page.goto(await hostUrl(prepared));
  const agree = page.getByLabel('Agree', { exact: true });
  await agree.first().waitFor();
  for (const choice of await agree.all()) await choice.check();
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('button', { name: 'Download language' }).click();
  const say = (text: string) => page.evaluate((words) => sayToRecognizer(words), text);
  await expect.poll(() => say('We will send the offer by Friday.')).toBe('audio');
  await page.getByRole('button', { name: 'Show captions' }).click();
  expect(await say('Please call me back tomorrow.')).toBe('audio');
  const captions = page.getByRole('log', { name: 'Captions' });
  await captions.getByText('Please call me back tomorrow.').waitFor();
  const { lines } = await prepared.user.send<{ lines: TranscriptLine[] }>(
    'GET',
    `/api/calls/${callId}/transcript`,
  );
  expect(lines[0]).toMatchObject({
    name: 'Ada Lovelace',
    text: 'We will send the offer by Friday.',
    language: 'en-US',
  });
  expect(sent.length).toBeGreaterThan(1);
  expect(sent.every((payload) => typeof payload === 'string')).toBe(true);
  await page.getByRole('button', { name: 'Mute microphone' }).click();
  // A muted microphone is not listened to.
  await expect.poll(() => say('Nobody hears this.')).toBe('');
});
