import { addTexts } from '#web/platform/texts.ts';
import links from '#web/texts/en/links.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ links });
