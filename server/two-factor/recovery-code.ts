import { createHash, randomInt } from 'node:crypto';
import type { AccountId } from '#domain/ids.ts';

/** Without characters that are easily confused. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const groups = 6;
const groupLength = 4;
export const recoveryCodeCount = 10;

const newGroup = () =>
  Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');

/** Returns a code of 120 random bits, such as `7KQM-X2PA-9RTB-HC4W-3DNE-V8YJ`. */
export const newRecoveryCode = () => Array.from({ length: groups }, newGroup).join('-');

/**
 * Returns the hash of a code. 120 bits (or the 80 of older codes) cannot be guessed, so a plain hash
 * suffices.
 */
export const hashRecoveryCode = (account: AccountId, code: string) =>
  createHash('sha256')
    .update(`${account}:${code.replaceAll('-', '')}`)
    .digest();
