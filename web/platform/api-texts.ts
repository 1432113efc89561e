import { addTexts } from '#web/platform/texts.ts';
import api from '#web/texts/en/api.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ api });
