import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type RecognizedPhrase, SpeechError, type SpeechService } from '../port.ts';
import type { FromRecognizer, ToRecognizer } from './messages.ts';
import { modelFolder, recognizerConfig, verifiedModel } from './model.ts';

const recognizeProgram = fileURLToPath(new URL('./recognize-program.ts', import.meta.url));
/** For the phrases before it and its own: the model takes one at a time. */
const patienceMs = 30_000;
/** The process ends, and frees its memory, after this long without a phrase. */
const idleMs = 10 * 60_000;
const behindServer = 5;
const wavHeaderBytes = 44;

interface Waiting {
  resolve(phrase: RecognizedPhrase): void;
  reject(error: SpeechError): void;
}

/**
 * Recognizes with a model on this server, in a child process. A phrase whose process ends fails, and the next one
 * starts another.
 * @param program for tests
 */
export function localModel(
  dataDir: string,
  name: string,
  program = recognizeProgram,
): SpeechService {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | null = null;
  let count = 0;
  let idle: NodeJS.Timeout | undefined;

  const lose = (lost: ChildProcess) => {
    if (child !== lost) return;
    child = null;
    const left = [...waiting.values()];
    waiting.clear();
    for (const one of left)
      one.reject(new SpeechError('failed', 'The local model’s process ended'));
  };
  const start = (): ChildProcess => {
    const model = verifiedModel(dataDir, name);
    if (!model) {
      throw new SpeechError('refused', `The local model ${name} was not fetched`);
    }
    const config = JSON.stringify(recognizerConfig(model, modelFolder(dataDir, name)));
    const started = fork(program, [config], {
      serialization: 'advanced',
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    if (started.pid) setPriority(started.pid, behindServer);
    started.on('message', (message: FromRecognizer) => {
      if (message.kind === 'ready') return;
      const { id, text, language } = message;
      waiting.get(id)?.resolve({ text, language });
    });
    started.on('error', () => lose(started));
    started.on('exit', () => lose(started));
    // It does not keep the server from ending, and ends with it.
    started.unref();
    started.channel?.unref();
    return started;
  };
  const restWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting.size === 0) child?.kill();
    }, idleMs).unref();
  };

  return {
    kind: 'local',
    recognizer: `local/${name}`,
    host: null,
    recognize({ wav }, signal) {
      return new Promise<RecognizedPhrase>((resolve, reject) => {
        child ??= start();
        count += 1;
        const id = count;
        const end = () => {
          waiting.delete(id);
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
          restWhenIdle();
        };
        const fail = (error: SpeechError) => {
          end();
          reject(error);
        };
        const abort = () => fail(new SpeechError('unreachable', 'The phrase was given up'));
        const timer = setTimeout(() => {
          fail(new SpeechError('timeout', `The local model took more than ${patienceMs} ms`));
          child?.kill('SIGKILL');
        }, patienceMs);
        signal?.addEventListener('abort', abort);
        if (signal?.aborted) return abort();
        waiting.set(id, {
          resolve: (phrase) => {
            end();
            resolve(phrase);
          },
          reject: fail,
        });
        const message: ToRecognizer = { id, samples: samplesOf(wav) };
        child.send(message, (error) => {
          if (error) waiting.get(id)?.reject(new SpeechError('failed', 'The local model ended'));
        });
      });
    },
  };
}

function samplesOf(wav: Buffer): Float32Array {
  const count = (wav.length - wavHeaderBytes) / 2;
  return Float32Array.from(
    { length: count },
    (_, at) => wav.readInt16LE(wavHeaderBytes + at * 2) / 32_768,
  );
}
