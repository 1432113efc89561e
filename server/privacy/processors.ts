/** An outside service that may process personal data; `host` is null while it is not configured. */
export interface Processor {
  id: string;
  host: string | null;
}

interface ProcessorSettings {
  /** Any of these settings turns the service on. */
  on: readonly string[];
  /**
   * Overrides the service's default host. It does not turn the service on, because it has a default value.
   */
  address?: string;
  host?: string;
}

/** The outside services and the settings that turn them on. */
export const processorSettings: Record<string, ProcessorSettings> = {
  database: { on: ['DATABASE_URL'] },
  bus: { on: ['REDIS_URL'] },
  mail: { on: ['SMTP_URL'] },
  files: { on: ['FILES_S3_BUCKET'], address: 'FILES_S3_ENDPOINT', host: 's3.amazonaws.com' },
  livekit: { on: ['LIVEKIT_URL'] },
  daily: { on: ['DAILY_API_KEY'], address: 'DAILY_API_BASE', host: 'api.daily.co' },
  stun: { on: ['STUN_URL'] },
  turn: { on: ['TURN_URL'] },
  anthropic: {
    on: ['ANTHROPIC_API_KEY'],
    address: 'ANTHROPIC_BASE_URL',
    host: 'api.anthropic.com',
  },
  openai: { on: ['OPENAI_API_KEY'], address: 'OPENAI_BASE_URL', host: 'api.openai.com' },
  aiServer: { on: ['AI_URL'] },
  // Only Deepgram works without an address.
  speech: { on: ['SPEECH_URL', 'SPEECH_KEY'], host: 'api.deepgram.com' },
  stripe: { on: ['STRIPE_SECRET_KEY'], address: 'STRIPE_API_BASE', host: 'api.stripe.com' },
  hubspot: { on: ['HUBSPOT_CLIENT_ID'], address: 'HUBSPOT_API_BASE', host: 'api.hubapi.com' },
  salesforce: {
    on: ['SALESFORCE_CLIENT_ID'],
    address: 'SALESFORCE_LOGIN_URL',
    host: 'login.salesforce.com',
  },
};

/** Returns the outside services of a configuration, which the privacy page lists. */
export function processorsOf(config: Record<string, unknown>): Processor[] {
  const textsOf = (names: readonly string[]) =>
    names.map((name) => config[name]).filter((value) => typeof value === 'string');
  return Object.entries(processorSettings).map(([id, { on, address, host = '' }]) => {
    const given = textsOf(on);
    if (given.length === 0) return { id, host: null };
    const hosts = [...given, ...textsOf(address ? [address] : [])].flatMap(hostsOf);
    return { id, host: hosts.join(', ') || host };
  });
}

/**
 * Returns the hosts in a comma-separated list of URLs, without user, password, or port: `turn:a:3478,turn:b`.
 */
function hostsOf(value: string): string[] {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.flatMap((entry) => {
    const [, host] = /^[a-z+]+:(?:\/\/)?(?:[^@/]*@)?(\[[^\]]+\]|[^:/?]+)/.exec(entry) ?? [];
    return host ? [host] : [];
  });
}
