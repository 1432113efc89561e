import type { Plugin } from 'vite';

/**
 * Leaves out of a page how Zod writes its schemas as JSON Schema, which only the server's API
 * description needs: 8 KB of each page, compressed. A later Zod that writes them differently fails
 * the build.
 */
export function withoutJsonSchema(): Plugin {
  const parts: readonly [RegExp, string][] = [
    [/^ *inst\._zod\.processJSONSchema = .*;$/gm, ''],
    [/createStandardJSONSchemaMethod\(this, "(?:in|out)put"\)/g, 'undefined'],
    [/createToJSONSchemaMethod\(this, \{\}\)\(params\)/g, 'undefined'],
  ];
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/zod/v4/classic/schemas.js')) return null;
      let rest = code;
      for (const [part, instead] of parts) {
        const before = rest;
        rest = before.replace(part, instead);
        if (rest === before) throw new Error(`Zod’s ${id} contains no ${part}: look at it again`);
      }
      return { code: rest, map: null };
    },
  };
}
