import type { Readable } from 'node:stream';

/** What a stored object turned out to be. */
export interface StoredFile {
  sizeBytes: number;
  /** SHA-256 of the bytes, as they were written. */
  sha256: Buffer;
}

/**
 * Where the bytes of files are kept. Keys are ours (`<orgId>/<fileId>`), never a user's file name.
 * The `files` table says what a key holds; a row is added only after `put` has resolved.
 */
export interface FileStore {
  /**
   * Stores the whole stream durably under `key`, or nothing.
   * @throws FileTooLargeError once more than `limitBytes` came; nothing is kept
   */
  put(key: string, content: Readable, limitBytes: number): Promise<StoredFile>;
  /** The bytes from `start` to `end` inclusive, or all. @throws FileMissingError */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes the object; removing what is not there is no error. */
  delete(key: string): Promise<void>;
}

export class FileTooLargeError extends Error {
  constructor(limitBytes: number) {
    super(`The file is larger than ${limitBytes} bytes.`);
    this.name = 'FileTooLargeError';
  }
}

export class FileMissingError extends Error {
  constructor(key: string) {
    super(`There is no file under ${key}.`);
    this.name = 'FileMissingError';
  }
}
