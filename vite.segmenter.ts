import type { Plugin } from 'vite';

const nothing = '\0nothing';

/**
 * The segmenter's program also runs in Node, whose modules it imports there. Browsers have none, and
 * Vite warns of each, which alarms who starts Rapport for the first time.
 */
export function withoutNodeModules(): Plugin {
  return {
    name: 'without-node-modules',
    enforce: 'pre',
    resolveId: (source, importer) =>
      /^(fs|path)$/.test(source) && importer?.includes('@twilio/video-processors') ? nothing : null,
    load: (id) => (id === nothing ? 'export default {};' : null),
  };
}
