import { addTexts } from '#web/platform/texts.ts';
import crm from '#web/texts/en/crm.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ crm });
