import type { Plugin } from 'vite';

/**
 * Writes into the page, as a comment, what loads the German texts beside its entry. The server takes
 * it out of the comment for German readers (server/platform/page-looks.ts).
 * @param module the end of the path of the texts' module
 */
export function preloadGerman(module: string): Plugin {
  return {
    name: 'preload-german',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const texts = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(module),
        );
        if (!texts) return html;
        const link = `<link rel="modulepreload" crossorigin href="/${texts.fileName}">`;
        return html.replace('</head>', `  <!--de:${link}-->\n  </head>`);
      },
    },
  };
}
