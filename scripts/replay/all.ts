import { accountFindings } from './accounts.ts';
import { bodyFindings } from './bodies.ts';
import { credentialFindings } from './credentials.ts';
import { crowdFindings } from './crowds.ts';
import { NotReplayed } from './eventually.ts';
import type { Finding } from './finding.ts';
import { grantFindings } from './grants.ts';
import { hostFindings } from './hosts.ts';
import { lineFindings } from './lines.ts';
import { lobbyFindings } from './lobby.ts';
import { mailFindings } from './mails.ts';
import { modelFindings } from './models.ts';
import { movedAccount } from './moved-account.ts';
import { noteFindings } from './notes.ts';
import { operatorFindings } from './operator.ts';
import { outlivingFindings } from './outliving.ts';
import { outsideFindings } from './outside.ts';
import { planFindings } from './plans.ts';
import { providerFindings } from './providers.ts';
import { rateFindings } from './rates.ts';
import { pieceFindings } from './small-pieces.ts';
import { speechFindings } from './speech.ts';
import { squatterFindings } from './squatter.ts';
import { uncountedFindings } from './uncounted.ts';
import { uploadFindings } from './uploads.ts';

const notReplayed = (id: string, why: string): Finding => ({
  id,
  attack: () => Promise.reject(new NotReplayed(why)),
});

/** In the order of the review, with suspected findings last. */
export const findings: Finding[] = [
  ...accountFindings,
  ...noteFindings,
  ...hostFindings,
  ...credentialFindings,
  ...lineFindings,
  ...bodyFindings,
  ...mailFindings,
  ...providerFindings,
  ...lobbyFindings,
  ...crowdFindings,
  ...outsideFindings,
  ...operatorFindings,
  ...uploadFindings,
  movedAccount,
  ...modelFindings,
  ...rateFindings,
  ...speechFindings,
  ...outlivingFindings,
  ...squatterFindings,
  ...planFindings,
  ...grantFindings,
  ...pieceFindings,
  ...uncountedFindings,
  notReplayed(
    'S5 (H4 to the death of the process)',
    'it would fill memory and disk; H4 itself is replayed',
  ),
  notReplayed(
    'S6 (poisoned notes after a restart)',
    'poisoned notes are refused before they are stored; see H3 and H4',
  ),
  notReplayed(
    'S7 (real IPv6, Redis, LiveKit, webhooks, recordings)',
    'not there on the loopback interface',
  ),
].sort((one, other) => rank(one.id) - rank(other.id));

/** K, H, M, L, S for suspected findings, N for those that the replay found, R for later reviews; then the number. */
function rank(id: string): number {
  const [, letter = '', number = '0', second = '0'] = /^([A-Z])(\d+)(?:-(\d+))?/.exec(id) ?? [];
  return 'KHMLSNR'.indexOf(letter) * 10_000 + Number(number) * 100 + Number(second);
}
