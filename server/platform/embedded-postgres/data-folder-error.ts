/** Why the data folder cannot be used, for programs and tests. The message is for people. */
export type DataFolderProblem =
  | 'in-use'
  | 'other-version'
  | 'not-writable'
  | 'disk-full'
  | 'damaged'
  | 'cannot-run';

/** Its message states the problem and the remedy. Print it alone, without the stack. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
  readonly problem: DataFolderProblem;

  constructor(problem: DataFolderProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

export function diskFull(folder: string, cause?: unknown): DataFolderError {
  const message = `The disk that holds ${folder} is full. Free some space, or set DATA_DIR to a folder on another disk; nothing was deleted.`;
  return new DataFolderError('disk-full', message, { cause });
}

export function notWritable(folder: string, cause?: unknown): DataFolderError {
  const message = `Rapport cannot write to ${folder}. Give its user write access there, or set DATA_DIR to a folder that it may write to.`;
  return new DataFolderError('not-writable', message, { cause });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Returns whether a file operation failed with one of these codes, as in `failedWith(error, 'ENOENT')`. */
export function failedWith(error: unknown, ...codes: string[]): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.includes(code);
}

/** Returns the DataFolderError that explains a failed file operation, or the error itself. */
export function explainFileError(error: unknown, folder: string): unknown {
  if (failedWith(error, 'ENOSPC', 'EDQUOT')) return diskFull(folder, error);
  if (failedWith(error, 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST')) {
    return notWritable(folder, error);
  }
  return error;
}
