import { openCompileCache } from './compile-cache.ts';
import { fail } from './fail.ts';

const started = performance.now();
const saveCompiled = openCompileCache();
try {
  // First, so that a wrong setting is reported at once: building the pages and loading the server take seconds.
  const { readConfig } = await import('#server/config.ts');
  readConfig(process.env);
  const { buildIfChanged } = await import('./build.ts');
  await buildIfChanged((line) => console.log(line));
  const { start } = await import('#server/main.ts');
  await start(process.env);
  console.log(
    `  Started in ${((performance.now() - started) / 1000).toFixed(1)} s. Ctrl-C stops it.`,
  );
  saveCompiled();
} catch (error) {
  fail(error);
}
