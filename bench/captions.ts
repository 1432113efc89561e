import type { Page } from 'playwright-core';
import { findRecognizer, hasFlite, startRecognizer } from '#server/testing/recognizer.ts';
import { hostUrl, prepareRoom } from '../e2e/support/api.ts';
import { openBrowser } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { spokenFile } from '../e2e/support/spoken-words.ts';
import { type Measured, plain } from './report.ts';
import { quantile } from './statistics.ts';

const phrases = [
  'Good morning and welcome to our quarterly review.',
  'Last month the new dashboard helped your whole team.',
  'Our people still struggle with the monthly export.',
];
const captions = 10;
const captionMinutes = 3;

/** Measures how long after the end of a phrase its caption is on another screen, without the service's own time. */
export async function captionDelay(): Promise<Measured[]> {
  const recognizer = hasFlite() ? findRecognizer() : null;
  if (!recognizer) throw new Error('There is no recognizer: npm run test:full installs one');
  const speech = await startRecognizer(recognizer);
  const program = await startProgram({
    SPEECH_PROVIDER: 'openai-compatible',
    SPEECH_URL: speech.url,
  });
  // Cameras are off: what video takes of this machine, the participants’ own machines do.
  const speaker = await openBrowser({ microphoneFile: spokenFile('slt', phrases) });
  const reader = await openBrowser();
  try {
    const prepared = await prepareRoom(program.url, 'Captions');
    const { user, roomId } = prepared;
    const captures = { recording: 'off', transcript: 'start', analysis: 'off' };
    await user.send('PUT', `/api/rooms/${roomId}/capture-settings`, captures);
    await user.send('POST', '/api/calls', { roomId });
    await speaker.page.addInitScript(noteSilences);
    await reader.page.addInitScript(noteCaptions);
    await enter(speaker.page, await hostUrl(prepared));
    await reader.page.goto(prepared.guestUrl);
    await reader.page.getByLabel('Your name').fill('Bo');
    await enter(reader.page);
    await reader.page.getByRole('button', { name: 'Show captions' }).click();
    const read = () => reader.page.evaluate(() => captionTimes);
    const deadline = Date.now() + captionMinutes * 60_000;
    while ((await read()).length < captions && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const silences = await speaker.page.evaluate(() => silenceTimes);
    const [shown, answers] = [await read(), await speech.answerTimes()];
    // A caption belongs to the last phrase that ended before its request.
    const delays = shown.flatMap((at, index) => {
      const asked = at - (answers[index] ?? 0);
      const endedAt = silences.findLast((silence) => silence < asked);
      return endedAt === undefined ? [] : [asked - endedAt];
    });
    const note = `median ${Math.round(quantile(delays, 0.5))} ms, the service ${Math.round(quantile(answers, 0.5))} ms, n=${delays.length}`;
    return [
      plain('captions: from the end of a phrase, 95 %', 'ms', quantile(delays, 0.95), 1000, note),
    ];
  } finally {
    await speaker.close();
    await reader.close();
    await discard(program);
    speech.close();
  }
}

async function enter(page: Page, url?: string): Promise<void> {
  if (url) await page.goto(url);
  await page.getByRole('button', { name: 'Turn camera off' }).click();
  await page.getByLabel('Agree', { exact: true }).check();
  await page.getByRole('button', { name: 'Join', exact: true }).click();
}

declare const silenceTimes: number[];
declare const captionTimes: number[];

/** Runs in the speaker's page: notes when the microphone becomes silent for half a second. */
function noteSilences(): void {
  const times: number[] = [];
  Object.assign(globalThis, { silenceTimes: times });
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (given) => {
    const stream = await ask(given);
    if (stream.getAudioTracks().length > 0) watch(stream.clone());
    return stream;
  };
  function watch(stream: MediaStream): void {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let loudAt = 0;
    setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const isLoud = samples.some((sample) => Math.abs(sample) > 0.02);
      if (isLoud) loudAt = Date.now();
      else if (loudAt > 0 && Date.now() - loudAt > 500) {
        times.push(loudAt);
        loudAt = 0;
      }
    }, 10);
  }
}

/** Runs in the reader's page: notes when each caption appears. */
function noteCaptions(): void {
  const times: number[] = [];
  Object.assign(globalThis, { captionTimes: times });
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element && node.matches('p.caption:not(.trouble)'))
          times.push(Date.now());
  }).observe(document, { childList: true, subtree: true });
}
