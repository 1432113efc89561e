import { addTexts } from '#web/platform/texts.ts';
import player from '#web/texts/en/player.json';

// Imported for its side effect: the texts of recordings are loaded with the player.
addTexts({ player });
