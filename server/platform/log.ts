import pino, { type Logger } from 'pino';
import { withoutTokens } from './log-tokens.ts';

const censor = '[redacted]';

/** Fields that must never be logged: secrets, and people's words. */
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
 * Returns the parts of an error that may be logged. Drizzle's messages contain the query's values,
 * and pg's errors the whole client. Of both, only PostgreSQL's message, code, and the stack are
 * kept.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const said = 'params' in error && error.cause instanceof Error ? error.cause : error;
  const code = 'code' in said ? said.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: said.name, message: said.message, code, stack: frames.join('\n') };
}

/**
 * Opens a log of JSON lines. Lines of a request carry `reqId`, which is also in the answer's
 * header. Tokens are removed from every line.
 * @param file where to write; null for standard output, where a supervisor collects the lines
 * @param secrets texts to remove from every message, address, and error
 */
export function openLog(
  level: string,
  file: string | null,
  secrets: readonly string[] = [],
): Logger {
  const options = {
    level,
    redact: { paths: redacted, censor },
    serializers: { err: errorForLog },
    hooks: {
      streamWrite: (line: string) =>
        withoutTokens(secrets.reduce((text, secret) => text.replaceAll(secret, censor), line)),
    },
  };
  return file ? pino(options, pino.destination({ dest: file, mkdir: true })) : pino(options);
}

let requests = 0;
const run = Date.now().toString(36);

/** Returns an id that is unique across restarts and short enough to read out to support. */
export function newRequestId(): string {
  requests += 1;
  return `${run}-${requests.toString(36)}`;
}
