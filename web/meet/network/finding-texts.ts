import { addressOf, type Finding } from '#web/media/network/connection-test.ts';
import { laterText } from '../later-texts.ts';

/** Returns the key of what is said about a test in one word; null while it runs. */
export const stateOf = (finding: Finding | null) =>
  finding === null ? 'lineTest.running' : finding.ok ? 'lineTest.ok' : 'lineTest.problem';

/** Returns what a test found, in words. */
export function sentenceOf(finding: Finding): string {
  switch (finding.what) {
    case 'server':
      return finding.ms === null
        ? laterText('lineTest.serverSilent', { host: location.host })
        : laterText('lineTest.server', { ms: finding.ms });
    case 'stun':
      return laterText(finding.ok ? 'lineTest.stun' : 'lineTest.stunBlocked', {
        url: addressOf(finding.url),
      });
    case 'turn':
      return laterText(turnSentences[finding.reason], { url: addressOf(finding.url) });
    case 'noStun':
    case 'noTurn':
      return laterText(`lineTest.${finding.what}`);
    default:
      return laterText(`lineTest.${finding.what}${finding.ok ? '' : 'Missing'}`);
  }
}

const turnSentences = {
  reached: 'lineTest.turn',
  refused: 'lineTest.turnRefused',
  unreached: 'lineTest.turnBlocked',
} as const;
