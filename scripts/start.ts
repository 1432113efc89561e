import { fail } from './fail.ts';

const started = performance.now();
try {
  const { buildIfChanged } = await import('./build.ts');
  await buildIfChanged((line) => console.log(line));
  const { start } = await import('#server/main.ts');
  await start(process.env);
  console.log(
    `  Started in ${((performance.now() - started) / 1000).toFixed(1)} s. Ctrl-C stops it.`,
  );
} catch (error) {
  fail(error);
}
