import pino, { type Logger } from 'pino';

/** What must never be written down: secrets, and what people said. */
const redacted = [
  'password',
  '*.password',
  'token',
  '*.token',
  'meetingToken',
  '*.meetingToken',
  'req.headers.cookie',
  'req.headers.authorization',
  'res.headers["set-cookie"]',
];

export type { Logger };

/**
 * JSON lines; requests carry `reqId`, which is also in the answer's header.
 * @param file where to write them; null for standard output, where a supervisor collects them
 */
export function openLog(level: string, file: string | null): Logger {
  const options = { level, redact: { paths: redacted, censor: '[redacted]' } };
  return file ? pino(options, pino.destination({ dest: file, mkdir: true })) : pino(options);
}

let requests = 0;
const run = Date.now().toString(36);

/** Unique over restarts, short enough to be read out to support. */
export function newRequestId(): string {
  requests += 1;
  return `${run}-${requests.toString(36)}`;
}
