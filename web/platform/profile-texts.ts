import { addTexts } from '#web/platform/texts.ts';
import profile from '#web/texts/en/profile.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ profile });
