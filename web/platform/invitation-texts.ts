import { addTexts } from '#web/platform/texts.ts';
import invitation from '#web/texts/en/invitation.json';

// Imported for its side effect: these texts are loaded with the page that shows them.
addTexts({ invitation });
