import { open } from 'node:fs/promises';
import { CustomSource, Input, MATROSKA, MP4, OGG, WEBM } from 'mediabunny';

/**
 * What recorders write: browsers, Daily, and LiveKit Egress. No others: a playlist (HLS) or a reference movie would
 * name other files, which the reader opens.
 */
const formats = [WEBM, MATROSKA, MP4, OGG];
/** Of one frame, or of the index of a day. A file may claim any size, and what is read is held in memory. */
const mostBytesAtOnce = 64 * 1024 * 1024;

/**
 * Opens a recorded file, which may be hostile. The reader gets its bytes and no path, so it cannot ask for another file.
 * Reading throws an Error for a piece of more than 64 MB.
 */
export function openRecordedFile(path: string): Input {
  const handle = open(path);
  const source = new CustomSource({
    getSize: async () => (await (await handle).stat()).size,
    read: async (start, end) => {
      const length = end - start;
      if (length > mostBytesAtOnce) throw new RangeError('A piece of the file is too large.');
      const { buffer } = await (await handle).read(new Uint8Array(length), 0, length, start);
      return buffer;
    },
    dispose: async () => (await handle).close(),
    prefetchProfile: 'fileSystem',
  });
  return new Input({ source, formats });
}
