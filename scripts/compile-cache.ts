import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** The folder of compiled code, also for other programs: the value of NODE_COMPILE_CACHE. */
export const compiledModules = join(import.meta.dirname, '../node_modules/.cache/compiled');

/**
 * From here on, modules are read from a cache of compiled code, so that the next start strips no
 * types. Node itself ignores a folder that it cannot write, and the entries of another version of
 * Node or of a changed file.
 * @returns writes what is not in the cache yet, for a program that does not end soon
 */
export function openCompileCache(): () => void {
  enableCompileCache(compiledModules);
  // The server's threads and the programs that it starts read it, too.
  process.env.NODE_COMPILE_CACHE ??= compiledModules;
  return flushCompileCache;
}
