import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { marksOf } from '#domain/search/words.ts';
import { longestExcerpt } from './excerpt.ts';
import type { MarksTask } from './marks.ts';

parentPort?.on('message', ({ texts, terms }: MarksTask) =>
  parentPort?.postMessage(texts.map((text) => marksOf(text, terms, longestExcerpt))),
);
// A thread that is ended saves nothing at its end.
flushCompileCache();
parentPort?.postMessage('ready');
