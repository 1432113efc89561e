import { addTexts } from '#web/platform/texts.ts';
import embedding from '#web/texts/en/embedding.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ embedding });
