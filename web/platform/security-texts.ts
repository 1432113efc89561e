import { addTexts } from '#web/platform/texts.ts';
import security from '#web/texts/en/security.json';

// Imported for its side effect: the texts about signing in are loaded with the components that use
// them.
addTexts({ security });
