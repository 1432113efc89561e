import { cpus, loadavg, totalmem } from 'node:os';
import { isMet, type Measured, save, table } from './report.ts';

/**
 * `npm run bench [-- NAME …] [--strict]`: measures Rapport's promises, each beside a bare
 * counterpart on the same machine in the same run. With `--strict` a missed limit ends with code 1.
 * `BENCH_AGAINST=REVISION npm run bench -- against` compares this checkout with an earlier commit.
 */
const benchmarks: Record<string, () => Promise<Measured[]>> = {
  bytes: async () => {
    const { bytes, dashboardBytes } = await import('./bytes.ts');
    return [...(await bytes()), ...(await dashboardBytes())];
  },
  public: async () => (await import('./public.ts')).publicPages(),
  scores: async () => (await import('./page-scores.ts')).pageScores(),
  memory: async () => (await import('./memory.ts')).memory(),
  api: async () => (await import('./api.ts')).api(),
  live: async () => (await import('./live.ts')).live(),
  knock: async () => (await import('./knock.ts')).knock(),
  billing: async () => (await import('./billing.ts')).billing(),
  checks: async () => (await import('./checks.ts')).checks(),
  'sign-in': async () => (await import('./sign-in.ts')).signIn(),
  join: async () => (await import('./join.ts')).join(),
  cpu: async () => (await import('./cpu.ts')).cpu(),
  signaling: async () => (await import('./signaling.ts')).signaling(),
  restart: async () => (await import('./restart.ts')).restart(),
  heap: async () => (await import('./heap.ts')).heap(),
  outage: async () => (await import('./outage.ts')).outage(),
  livekit: async () => (await import('./livekit.ts')).livekit(),
  'bounded-work': async () => (await import('./bounded-work.ts')).boundedWork(),
  floods: async () => (await import('./floods.ts')).floods(),
  against: async () => (await import('./against.ts')).against(),
  size: async () => (await import('./size.ts')).size(),
  idle: async () => (await import('./idle.ts')).idle(),
  analyzer: async () => (await import('./analyzer.ts')).analyzer(),
  notes: async () => (await import('./notes.ts')).notes(),
  search: async () => (await import('./search.ts')).search(),
  uploads: async () => (await import('./recording.ts')).uploads(),
  hour: async () => (await import('./recording.ts')).hourOfRecording(),
  'recorded-page': async () => (await import('./recorded-call.ts')).recordedPage(),
  'killed-tab': async () => (await import('./recorded-call.ts')).killedTab(),
  'hidden-tab': async () => (await import('./recorded-call.ts')).hiddenTab(),
  player: async () => (await import('./player.ts')).player(),
  'player-hour': async () => (await import('./player.ts')).playerOfHour(),
  captions: async () => (await import('./captions.ts')).captionDelay(),
  webhooks: async () => (await import('./webhooks.ts')).webhooks(),
};

/** `against` needs a commit to compare with; `size`, `hidden-tab`, and `scores` take many minutes. */
const onlyByName = ['against', 'size', 'hidden-tab', 'scores'];

/** Names for groups of benchmarks. */
const groups: Record<string, string[]> = {
  call: ['join', 'cpu', 'signaling', 'restart', 'outage', 'livekit', 'heap'],
  recording: [
    'uploads',
    'hour',
    'recorded-page',
    'killed-tab',
    'player',
    'player-hour',
    'hidden-tab',
  ],
};

const words = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'))
  .flatMap((word) => groups[word] ?? [word]);
const unknown = words.filter((word) => !(word in benchmarks));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}. Choose from: ${Object.keys({ ...groups, ...benchmarks }).join(' ')}`,
  );
  process.exit(2);
}

const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  loadBefore: loadavg(),
};
const results: Measured[] = [];
for (const [name, measure] of Object.entries(benchmarks)) {
  if (words.length > 0 ? !words.includes(name) : onlyByName.includes(name)) continue;
  console.log(`Measuring ${name} …`);
  const startedAt = performance.now();
  const found = await measure();
  console.log(table(found));
  console.log(`  ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
  results.push(...found);
}
const missed = results.filter((one) => !isMet(one));
if (words.length !== 1) console.log(`${table(results)}\n`);
console.log(`${missed.length === 0 ? 'Every limit is met.' : `${missed.length} over the limit.`}`);
console.log(`Written to ${save(results, machine)}`);
process.exit(process.argv.includes('--strict') && missed.length > 0 ? 1 : 0);
