import { addTexts } from '#web/platform/texts.ts';
import { administration } from '#web/texts/en/administration.ts';

// The pages that show these texts import this module before all else.
addTexts(administration);
