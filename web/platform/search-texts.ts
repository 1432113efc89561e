import { addTexts } from '#web/platform/texts.ts';
import search from '#web/texts/en/search.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ search });
