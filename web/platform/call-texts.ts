import { addTexts } from '#web/platform/texts.ts';
import ai from '#web/texts/en/ai.json';
import analytics from '#web/texts/en/analytics.json';
import call from '#web/texts/en/call.json';

// Imported for its side effect: the texts of calls beyond their list, and of what is read from them.
addTexts({ ai, analytics, call });
