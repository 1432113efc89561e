import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { orgId } from '../domain/ids.ts';
import { openSharedThread } from '../server/platform/shared-thread.ts';
import { offlineAnalyzer } from '../server/providers/ai/offline.ts';
import type { Conversation } from '../server/providers/ai/port.ts';
import { type Measured, plain } from './report.ts';

const talk = `Ada: Thanks for joining, Ben. How is the rollout going in the second office?
Ben: Honestly we love the new checklists, but the export has stopped working twice this week.
Ada: Sorry to hear that. I'll send you a fix by Friday, and let me check with engineering.
Ben: Great. Could you also share the pricing for fifty seats? It is a bit expensive for us.
Ada: Sure, will do. Priya is going to set up a call with your finance team next week.
`;
const characters = 100_000;
/** Notes have up to 60 lines; what is longer, and transcripts, are read by rules alone. */
const noteLines = 60;
const rounds = 5;
const mostMsPerThousand = 10;
/** Time on the server's main thread for one such text; the rest runs on the analyzer's thread. */
const mostOwnMs = 20;

/** Measures the offline analyzer for 1000 characters once it is warm, and how long it blocks the server. */
export async function analyzer(): Promise<Measured[]> {
  const analyzer = offlineAnalyzer(openSharedThread);
  const about = {
    orgId: orgId.parse(randomUUID()),
    storedNotes: '',
    turns: [],
    roomTopic: null,
    playbookTitle: null,
    openItems: [],
    isOver: false,
    calledAt: '2026-03-10T14:00:00Z',
    timeZone: 'UTC',
  };
  const short: Conversation = { ...about, text: talk };
  const long: Conversation = {
    ...about,
    text: talk.repeat(Math.ceil(characters / talk.length)).slice(0, characters),
  };
  const lines = talk
    .trimEnd()
    .replaceAll(/^\w+: /gm, '- ')
    .split('\n');
  const note: Conversation = {
    ...about,
    text: Array.from({ length: noteLines }, (_, at) => lines[at % lines.length]).join('\n'),
  };
  const startedAt = performance.now();
  await analyzer.readSentiment(short);
  const firstMs = performance.now() - startedAt;
  const tasks = {
    sentiment: { of: long, run: () => analyzer.readSentiment(long) },
    coaching: { of: long, run: () => analyzer.suggest(long) },
    'action items': { of: long, run: () => analyzer.findActionItems(long) },
    'sentiment of notes': { of: note, run: () => analyzer.readSentiment(note) },
    'coaching on notes': { of: note, run: () => analyzer.suggest(note) },
  };
  const results: Measured[] = [
    plain('analyzer: the first answer, with its start', 'ms', firstMs, null),
  ];
  for (const [name, { of, run }] of Object.entries(tasks)) {
    await run();
    const before = performance.eventLoopUtilization();
    const begunAt = performance.now();
    for (let round = 0; round < rounds; round += 1) await run();
    // Each text has a fixed cost, which short notes have fewer characters for.
    const limit = of === long ? mostMsPerThousand : null;
    const ms = (performance.now() - begunAt) / rounds / (of.text.length / 1000);
    const ownMs = performance.eventLoopUtilization(before).active / rounds;
    results.push(
      plain(`analyzer: ${name}, 1000 characters`, 'ms', ms, limit, `of ${of.text.length}`),
      plain(`analyzer: ${name}, of the server's own thread`, 'ms', ownMs, mostOwnMs, 'whole text'),
    );
  }
  return results;
}
