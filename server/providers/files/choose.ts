import { join } from 'node:path';
import { folderFiles } from './folder.ts';
import type { FileStore } from './port.ts';

/** Returns the file store, which is the data folder. An S3 adapter would be chosen here. */
export const chooseFiles = (dataDir: string): FileStore => folderFiles(join(dataDir, 'files'));
