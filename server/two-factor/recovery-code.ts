import { createHash, randomInt } from 'node:crypto';
import type { AccountId } from '#domain/ids.ts';

/** Without what is easily taken for one another. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const groups = 4;
const groupLength = 4;
export const recoveryCodeCount = 10;

const newGroup = () =>
  Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');

/** A code of 80 random bits, e.g. `7KQM-X2PA-9RTB-HC4W`. */
export const newRecoveryCode = () => Array.from({ length: groups }, newGroup).join('-');

/** Nobody guesses 80 bits, so that a plain hash keeps them. */
export const hashRecoveryCode = (account: AccountId, code: string) =>
  createHash('sha256')
    .update(`${account}:${code.replaceAll('-', '')}`)
    .digest();
