import type { Readable } from 'node:stream';

/** Size and hash of a stored object. */
export interface StoredFile {
  sizeBytes: number;
  /** SHA-256 of the bytes as written. */
  sha256: Buffer;
}

/**
 * Storage for the bytes of files. Keys are generated (`<orgId>/<fileId>`), never a user's file
 * name. The `files` table describes each key; a row is added only after `put` has resolved.
 */
export interface FileStore {
  /**
   * Stores the whole stream durably under `key`, or nothing.
   * @throws FileTooLargeError once more than `limitBytes` arrived; nothing is stored
   */
  put(key: string, content: Readable, limitBytes: number): Promise<StoredFile>;
  /**
   * Returns the bytes from `start` to `end` inclusive, or all.
   * @throws FileMissingError
   */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes the object. A missing object is not an error. */
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
