import { addTexts } from '#web/platform/texts.ts';
import notifications from '#web/texts/en/notifications.json';
import webhooks from '#web/texts/en/webhooks.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ notifications, webhooks });
