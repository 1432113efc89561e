import { isIP } from 'node:net';
import { z } from 'zod';
import { meshLimit } from '#domain/calls/live.ts';
import { hostName } from './platform/host-name.ts';
import { modelSettings, wrongOfModels } from './providers/ai/model/settings.ts';
import { missingOfStripe, stripeSettings } from './providers/billing/stripe/settings.ts';
import { crmSettings, missingOfCrm } from './providers/crm/settings.ts';
import { missingOfS3, s3Settings } from './providers/files/s3/settings.ts';
import { missingOfSpeech, speechSettings } from './providers/speech/settings.ts';
import { dailySettings, missingOfDaily } from './providers/video/daily/settings.ts';
import { liveKitSettings, missingOfLiveKit } from './providers/video/livekit-settings.ts';
import { withSecretFiles } from './secret-settings.ts';

const port = z.coerce.number().int().min(0).max(65535);
const optional = z
  .string()
  .trim()
  .transform((value) => (value === '' ? undefined : value))
  .optional();
/** An empty value counts as unset. Any other value must pass `accepts`. */
const checked = (accepts: (value: string) => boolean, expected: string) =>
  optional.refine((value) => value === undefined || accepts(value), { error: expected });
const listOf = (accepts: (entry: string) => boolean) => (value: string) =>
  value.split(',').every((entry) => accepts(entry.trim()));
const address = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

const isDatabaseUrl = (value: string) =>
  URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol);
const isRedisUrl = (value: string) =>
  URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol);
/** RFC 7064 and 7065. A browser refuses the whole list for one URL that it cannot parse. */
const isStunUrl = (value: string) => /^stuns?:[\w.[\]:-]+$/.test(value);
const isTurnUrl = (value: string) => /^turns?:[\w.[\]:-]+(\?transport=(udp|tcp))?$/.test(value);

/** An address, a CIDR, or a name that Fastify's trustProxy accepts. */
function isProxy(value: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(value)) return true;
  const [ip = '', bits, ...rest] = value.split('/');
  const mostBits = isIP(ip) === 6 ? 128 : 32;
  const bitsFit = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= mostBits);
  return isIP(ip) !== 0 && bitsFit && rest.length === 0;
}

/**
 * Every environment variable that Rapport reads, with its description. All are optional. Secret
 * ones (secret-settings.ts) may also come from a file: `SECRET_KEY_FILE` names the file of
 * SECRET_KEY. `npm run config` prints them with their current values.
 */
export const settings = z.object({
  PORT: port.default(3000).describe('Port of the web server.'),
  HOST: z.string().default('0.0.0.0').describe('Address that the web server listens on.'),
  PUBLIC_URL: address
    .optional()
    .describe('Address that people open, e.g. https://calls.example.com. Links in mails use it.'),
  ALLOWED_HOSTS: checked(
    listOf((entry) => hostName(entry) !== null && isIP(entry) === 0),
    'give host names like calls.example.com, by commas',
  ).describe(
    'Host names that are served beside PUBLIC_URL’s, localhost and IP addresses, by commas. Others get 421.',
  ),
  DATA_DIR: z.string().default('./data').describe('Folder of everything that Rapport keeps.'),
  DATABASE_URL: checked(
    isDatabaseUrl,
    'give an address like postgres://user:password@host:5432/database',
  ).describe('A PostgreSQL 15 to 18 to use. Unset: Rapport runs one of its own in DATA_DIR.'),
  REDIS_URL: checked(isRedisUrl, 'give an address like redis://host:6379').describe(
    'Redis for live events. Needed once there are several processes.',
  ),
  SECRET_KEY: z
    .string()
    .min(32, 'SECRET_KEY must have at least 32 characters')
    .optional()
    .describe('Signs tokens. Unset: made once and kept in DATA_DIR. Same on every process.'),
  SECRET_KEY_PREVIOUS: checked(
    listOf((entry) => entry.length >= 32),
    'give keys of at least 32 characters, by commas',
  ).describe(
    'Keys that SECRET_KEY replaced, newest first, by commas: what they sealed stays readable.',
  ),
  VIDEO_PROVIDER: z
    .enum(['builtin', 'livekit', 'daily', 'mock'])
    .default('builtin')
    .describe(
      'Engine of the calls: builtin (peer to peer; beyond MESH_LIMIT people by LiveKit, where that is set), livekit (always by LiveKit), daily (a company’s rooms and page) or mock (a demo).',
    ),
  ...dailySettings,
  MESH_LIMIT: z.coerce
    .number()
    .int()
    .min(2)
    .max(meshLimit)
    .default(meshLimit)
    .describe('Most people in a peer-to-peer call. Each sends their picture to all the others.'),
  ...liveKitSettings,
  STUN_URL: checked(
    listOf(isStunUrl),
    'give addresses like stun:stun.example.com:3478, by commas',
  ).describe('STUN server, e.g. stun:stun.example.com:3478. Unset: calls reach one network only.'),
  TURN_URL: checked(
    listOf(isTurnUrl),
    'give addresses like turn:turn.example.com:3478, by commas',
  ).describe('TURN server, e.g. turn:turn.example.com:3478. Several by commas.'),
  TURN_SECRET: optional.describe('Shared secret of the TURN server (REST API credentials).'),
  ...modelSettings,
  SMTP_URL: optional.describe(
    'Mail server, e.g. smtp://user:password@mail.example.com:587. Unset: mails become files in DATA_DIR/outbox.',
  ),
  MAIL_FROM: z.string().default('Rapport <rapport@localhost>').describe('Sender of the mails.'),
  ...speechSettings,
  ...stripeSettings,
  ...crmSettings,
  CONTACT_INBOX: checked(
    (value) => z.email().safeParse(value).success,
    'give an address like sales@example.com',
  ).describe('Where the contact form is mailed to. Unset: it stays in the visitor’s browser.'),
  PRIVACY_URL: address
    .optional()
    .describe('Your privacy notice, linked from the public pages, sign-in and the guest’s page.'),
  TERMS_URL: address.optional().describe('Your terms, linked from the same places.'),
  SIGNUP: z
    .enum(['open', 'invite', 'closed'])
    .default('open')
    .describe(
      'Who gets a new account: open (anybody), invite (who is invited, or comes by single sign-on or SCIM) or closed (nobody).',
    ),
  TLS_CERT: optional.describe('File of the TLS certificate (PEM). With TLS_KEY: serve HTTPS.'),
  TLS_KEY: optional.describe('File of the TLS key (PEM).'),
  TRUSTED_PROXIES: checked(
    listOf(isProxy),
    'give addresses or CIDRs like 10.0.0.0/8, by commas',
  ).describe('Addresses or CIDRs of the proxies whose X-Forwarded-For counts, by commas.'),
  ALLOW_PRIVATE_TARGETS: checked(
    listOf((entry) => isIP(entry.split('/')[0] ?? '') !== 0 && isProxy(entry)),
    'give addresses or CIDRs like 10.0.0.0/8, by commas',
  ).describe(
    'Private addresses or CIDRs that admins may name as identity providers and the like, by commas. Unset: none.',
  ),
  DNS_SERVERS: checked(
    listOf((entry) => /^[\d.]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(entry)),
    'give addresses like 10.0.0.2 or 10.0.0.2:53, by commas',
  ).describe(
    'Name servers that are asked for the records of claimed domains, by commas. Unset: the machine’s own.',
  ),
  ...s3Settings,
  RECORDINGS_MOST_GB: z.coerce
    .number()
    .min(0)
    .default(1000)
    .describe('Gigabytes of recordings that one organization may keep. 0: no limit.'),
  ORGANIZATION_DAILY_MB: z.coerce
    .number()
    .min(0)
    .default(5000)
    .describe(
      'Megabytes that one organization may add to the database in a day, in each process; recordings apart. 0: no limit.',
    ),
  RATE_LIMIT_SCALE: z.coerce
    .number()
    .positive()
    .default(1)
    .describe('Multiplies every rate limit; for load tests.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
});
export type Config = z.infer<typeof settings>;

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(
      `The configuration cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}\nRun "npm run config" for what each setting means.`,
    );
    this.name = 'ConfigError';
  }
}

/**
 * Reads and validates the settings.
 * @param env usually `process.env`; an empty value counts as unset
 * @throws ConfigError naming each bad variable
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const { env: whole, problems } = withSecretFiles(env, Object.keys(settings.shape));
  if (problems.length > 0) throw new ConfigError(problems);
  const given = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  }
  const config = parsed.data;
  if (Boolean(config.TLS_CERT) !== Boolean(config.TLS_KEY)) {
    throw new ConfigError(['TLS_CERT and TLS_KEY: set both, or neither.']);
  }
  if (Boolean(config.TURN_URL) !== Boolean(config.TURN_SECRET)) {
    throw new ConfigError(['TURN_URL and TURN_SECRET: set both, or neither.']);
  }
  if (config.SMTP_URL && !config.PUBLIC_URL) {
    throw new ConfigError([
      'PUBLIC_URL: set it to the address that people open, e.g. https://calls.example.com. With SMTP_URL set, links in mails need it.',
    ]);
  }
  const missing =
    missingOfDaily(config) ??
    missingOfS3(config) ??
    missingOfLiveKit(config) ??
    missingOfSpeech(config) ??
    missingOfStripe(config) ??
    missingOfCrm(config);
  if (missing) throw new ConfigError([missing]);
  const wrong = wrongOfModels(config);
  if (wrong) throw new ConfigError([wrong]);
  return config;
}
