import { join } from 'node:path';
import { folderFiles } from './folder.ts';
import type { FileStore } from './port.ts';

/** The data folder; S3 joins here by configuration. */
export const chooseFiles = (dataDir: string): FileStore => folderFiles(join(dataDir, 'files'));
