import pino, { type Logger } from 'pino';
import { withoutTokens } from './log-tokens.ts';

const censor = '[redacted]';

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
 * What a log may hold of an error. Drizzle's messages carry the query's values, and pg's errors the whole
 * client: of both only what PostgreSQL said is kept, and where it was asked.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const said = 'params' in error && error.cause instanceof Error ? error.cause : error;
  const code = 'code' in said ? said.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: said.name, message: said.message, code, stack: frames.join('\n') };
}

/**
 * JSON lines; requests carry `reqId`, which is also in the answer's header. Tokens are taken out of each
 * line, whatever wrote them.
 * @param file where to write them; null for standard output, where a supervisor collects them
 * @param secrets texts that are taken out wherever they stand: in a message, an address, an error
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

/** Unique over restarts, short enough to be read out to support. */
export function newRequestId(): string {
  requests += 1;
  return `${run}-${requests.toString(36)}`;
}
