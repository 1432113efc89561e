/** The password hashes that this worker's tests compared with a password, newest last. */
export const verifiedHashes: string[] = [];
