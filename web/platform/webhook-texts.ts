import { addTexts } from '#web/platform/texts.ts';
import webhooks from '#web/texts/en/webhooks.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ webhooks });
