import { closeCodes } from '#domain/calls/close-codes.ts';

/** Why a person is not, or no longer, in the meeting. */
export type Ending = 'left' | Exclude<keyof typeof closeCodes, 'silent'>;

/** Returns the ending for the code with which the server closed the socket. */
export function endingOf(code: number): Ending {
  for (const [name, value] of Object.entries(closeCodes)) {
    if (value === code && isEnding(name)) return name;
  }
  return 'badMessage';
}

function isEnding(name: string): name is Ending {
  return name in closeCodes && name !== 'silent';
}
