import { createHash, randomInt } from 'node:crypto';
import type { AccountId } from '#domain/ids.ts';

/** Without what is easily taken for one another. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const groups = 6;
const groupLength = 4;
export const recoveryCodeCount = 10;

const newGroup = () =>
  Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');

/** A code of 120 random bits, e.g. `7KQM-X2PA-9RTB-HC4W-3DNE-V8YJ`. */
export const newRecoveryCode = () => Array.from({ length: groups }, newGroup).join('-');

/** Nobody guesses 120 bits (or 80, as codes from before have), so that a plain hash keeps them. */
export const hashRecoveryCode = (account: AccountId, code: string) =>
  createHash('sha256')
    .update(`${account}:${code.replaceAll('-', '')}`)
    .digest();
