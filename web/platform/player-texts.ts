import { addTexts } from '#web/platform/texts.ts';
import assistant from '#web/texts/en/assistant.json';
import player from '#web/texts/en/player.json';
import transcript from '#web/texts/en/transcript.json';

// Imported for its side effect: the texts of recordings, transcripts, and what is read from them.
addTexts({ assistant, player, transcript });
