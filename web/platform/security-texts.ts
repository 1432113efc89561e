import { addTexts } from '#web/platform/texts.ts';
import security from '#web/texts/en/security.json';

// For side effect: the texts about signing in are there once whoever shows them is loaded.
addTexts({ security });
