import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { rebuildAnalytics } from '#server/analytics/rebuild-analytics.ts';
import { readConfig } from '#server/config.ts';
import { examine } from '#server/operator/doctor.ts';
import { fetchSpeechModel } from '#server/operator/fetch-speech-model.ts';
import { forgetFactors } from '#server/operator/forget-factors.ts';
import { grantSuperadmin } from '#server/operator/grant-superadmin.ts';
import { listInstallation } from '#server/operator/list-installation.ts';
import { makeNewKey } from '#server/operator/make-new-key.ts';
import { openOperatorDatabase } from '#server/operator/open-database.ts';
import { removeSpeechModel } from '#server/operator/remove-speech-model.ts';
import { replayBilling } from '#server/operator/replay-billing.ts';
import { resetAccount } from '#server/operator/reset-account.ts';
import { rotate } from '#server/operator/rotate.ts';
import { setPlan } from '#server/operator/set-plan.ts';
import { unlock } from '#server/operator/unlock.ts';
import type { Database } from '#server/platform/database.ts';
import { openLog } from '#server/platform/log.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { chooseBilling } from '#server/providers/billing/choose.ts';
import { secretTexts } from '#server/secret-settings.ts';
import { fail } from './fail.ts';

const usage = `Commands for the operator; they work while Rapport runs and while it is stopped:

  npm run admin -- grant EMAIL        makes the account a SUPERADMIN; asks before it does so for an
                                      address that was never confirmed (--yes as the last word skips it)
  npm run admin -- unlock EMAIL       ends the wait after too many failed sign-in attempts
  npm run admin -- reset EMAIL        prints a password reset link that is valid for an hour
  npm run admin -- forget-factors EMAIL
                                      removes the authenticator app and passkeys of an account,
                                      after a confirmation (--yes as the last word skips it)
  npm run admin -- list               counts accounts and lists organizations
  npm run admin -- plan ORG PLAN      sets the plan of an organization (its name or id):
                                      starter, professional, or enterprise
  npm run admin -- rebuild-analytics  computes the figures of all organizations from their calls again,
                                      and lists every difference
  npm run admin -- replay-billing EVENT
                                      processes a stored webhook of the card provider again (evt_…,
                                      or all of the last 30 days: all)
  npm run admin -- rotate new-key     creates a new secret key in DATA_DIR; restart Rapport afterwards
  npm run admin -- rotate             then seals stored secrets with the new key
  npm run admin -- fetch-model FILE   fetches the model for speech-to-text on this server that the file
                                      describes (docs/operating.md)
  npm run admin -- remove-model NAME  deletes a model for speech-to-text from the servers, even while
                                      organizations use it
  npm run admin -- doctor             checks the installation and says what to fix

It reads DATA_DIR and DATABASE_URL as npm start does.`;

/** Returns the requested work; null for an unknown command. */
function workOf([verb, ...given]: string[]): ((database: Database) => Promise<string>) | null {
  const [first, second] = given;
  const isSure = second === '--yes';
  const ask = isSure ? async () => true : askOnTerminal;
  if (verb === 'grant' && first && (given.length === 1 || isSure)) {
    return (database) => grantSuperadmin(database, first, ask);
  }
  if (verb === 'unlock' && first && given.length === 1) {
    return (database) => unlock(database, first);
  }
  if (verb === 'reset' && first && given.length === 1) {
    return (database) => resetAccount(database, first, publicUrl());
  }
  if (verb === 'forget-factors' && first && (given.length === 1 || isSure)) {
    return (database) => forgetFactors(database, first, publicUrl(), ask);
  }
  if (verb === 'list' && given.length === 0) return listInstallation;
  if (verb === 'rebuild-analytics' && given.length === 0) {
    return (database) => rebuildAnalytics(database, console.error);
  }
  if (verb === 'plan' && first && second && given.length === 2) {
    return (database) => setPlan(database, first, second);
  }
  if (verb === 'remove-model' && first && given.length === 1) {
    return (database) => removeSpeechModel(database, first);
  }
  if (verb === 'replay-billing' && first && given.length === 1) {
    const config = readConfig(process.env);
    const log = openLog('warn', null, secretTexts(config));
    return async (database) =>
      replayBilling(database, await chooseBilling(config), { given: first, log });
  }
  if (verb === 'rotate' && given.length === 0) {
    const config = readConfig(process.env);
    return (database) => rotate(database, openSecrets(config, resolve(config.DATA_DIR)));
  }
  return null;
}

function publicUrl(): string {
  const { PUBLIC_URL, PORT } = readConfig(process.env);
  return PUBLIC_URL ?? `http://localhost:${PORT}`;
}

/** @throws if there is no terminal */
async function askOnTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error('Nobody can be asked here: say --yes as the last word if you are sure.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} (yes/no) `);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}

try {
  const asked = process.argv.slice(2);
  const work = workOf(asked);
  if (asked.join(' ') === 'rotate new-key') console.log(makeNewKey(readConfig(process.env)));
  else if (asked[0] === 'fetch-model' && asked[1] && asked.length === 2) {
    console.log(await fetchSpeechModel(readConfig(process.env), asked[1], console.error));
  } else if (asked.join(' ') === 'doctor') {
    const { report, isWell } = await examine(readConfig(process.env));
    console.log(report);
    if (!isWell) process.exitCode = 1;
  } else if (work) {
    const { database, close } = await openOperatorDatabase(readConfig(process.env));
    try {
      console.log(await work(database));
    } finally {
      await close();
    }
  } else {
    console.log(usage);
    if (asked.length > 0) process.exitCode = 1;
  }
} catch (error) {
  fail(error);
}
