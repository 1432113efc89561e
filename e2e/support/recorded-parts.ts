import type { BrowserContext, Request } from 'playwright-core';

/** What one participant's pages have sent of their recording. */
export interface RecordedParts {
  /** Parts that the server has acknowledged, by segment. */
  readonly acknowledged: Map<string, Buffer[]>;
  /** Segments that the server knows the length of. */
  readonly complete: Map<string, number>;
  /** Every request about recordings, whatever its answer. */
  readonly requests: string[];
}

/** Notes what a participant's pages send of their recording. */
export function noteRecording(context: BrowserContext): RecordedParts {
  const noted = {
    acknowledged: new Map<string, Buffer[]>(),
    complete: new Map<string, number>(),
    requests: [] as string[],
  };
  context.on('request', (request) => {
    if (isRecording(request)) noted.requests.push(`${request.method()} ${request.url()}`);
  });
  context.on('response', (response) => {
    const request = response.request();
    if (!isRecording(request) || !response.ok()) return;
    const [, segment = '', number] =
      new URL(request.url()).pathname.match(/segments\/([^/]+)\/(?:parts\/(\d+)|complete)$/) ?? [];
    if (number !== undefined) {
      const parts = noted.acknowledged.get(segment) ?? [];
      parts[Number(number)] = request.postDataBuffer() ?? Buffer.alloc(0);
      noted.acknowledged.set(segment, parts);
    } else if (segment) noted.complete.set(segment, request.postDataJSON().partCount);
  });
  return noted;
}

const isRecording = (request: Request) =>
  new URL(request.url()).pathname.startsWith('/api/recordings/');
