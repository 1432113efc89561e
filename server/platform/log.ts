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

/** JSON lines on standard output; requests carry `reqId`, which is also in the answer's header. */
export function openLog(level: string): Logger {
  return pino({ level, redact: { paths: redacted, censor: '[redacted]' } });
}

let requests = 0;
const run = Date.now().toString(36);

/** Unique over restarts, short enough to be read out to support. */
export function newRequestId(): string {
  requests += 1;
  return `${run}-${requests.toString(36)}`;
}
