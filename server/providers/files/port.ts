import type { Readable } from 'node:stream';

/** Size and hash of a stored object. */
export interface StoredFile {
  sizeBytes: number;
  /** SHA-256 of the bytes as written. */
  sha256: Buffer;
}

/**
 * Storage for the bytes of files. Keys are generated (`<orgId>/<fileId>`), never a user's file
 * name. The rows of the database describe each key; a row is added only after `put` has resolved.
 */
export interface FileStore {
  /**
   * Stores the whole stream durably under `key`, or nothing.
   * @throws FileTooLargeError once more than `limitBytes` arrived; nothing is stored
   * @throws FilesFullError
   */
  put(key: string, content: Readable, limitBytes: number): Promise<StoredFile>;
  /**
   * Stores a piece, whose chunks follow each other, durably under a key in `folder`, for many small pieces that belong
   * together. Several pieces may share a key, each at its own position.
   * @throws FilesFullError
   */
  append(folder: string, chunks: readonly Buffer[]): Promise<{ key: string; position: number }>;
  /**
   * Returns the bytes from `start` to `end` inclusive, or all.
   * @throws FileMissingError
   */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes the object. A missing object is not an error. */
  delete(key: string): Promise<void>;
  /** Removes the object and everything in the folder of that name. Nothing is not an error. */
  deleteAll(key: string): Promise<void>;
  /** Returns the names of the folders directly in a folder; '' is the root. */
  folders(folder: string): Promise<string[]>;
  /** Returns the bytes that can still be stored; infinity where the store does not say. */
  freeBytes(): Promise<number>;
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

/** The store has no room left. What is stored stays. */
export class FilesFullError extends Error {
  constructor() {
    super('The file store is full.');
    this.name = 'FilesFullError';
  }
}

/** With an extension where another program wrote the file. */
const ownKey = /^[\w-]+(\/[\w-]+)*(\.[a-z0-9]{1,5})?$/;

/** @throws FileMissingError for a key that could lead out of the store */
export function requireOwnKey(key: string): void {
  if (!ownKey.test(key)) throw new FileMissingError(key);
}
