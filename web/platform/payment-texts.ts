import { addTexts } from '#web/platform/texts.ts';
import payment from '#web/texts/en/payment.json';

// Imported for its side effect: these texts are loaded with the first page that shows them.
addTexts({ payment });
