import { addTexts } from '#web/platform/texts.ts';
import { administration } from '#web/texts/en/administration.ts';

// Imported by the pages that show them, before all else that they import.
addTexts(administration);
