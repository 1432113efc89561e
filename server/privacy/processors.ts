/** An outside service that may see personal data; `host` is null while it is not set up. */
export interface Processor {
  id: string;
  host: string | null;
}

/** Who processes what, by the settings that turn it on; a setting that is an address names the host. */
export const processorSettings: Record<string, { on: readonly string[]; host?: string }> = {
  database: { on: ['DATABASE_URL'] },
  bus: { on: ['REDIS_URL'] },
  mail: { on: ['SMTP_URL'] },
  files: { on: ['S3_ENDPOINT'] },
  livekit: { on: ['LIVEKIT_URL'] },
  daily: { on: ['DAILY_API_BASE', 'DAILY_API_KEY'], host: 'api.daily.co' },
  stun: { on: ['STUN_URL'] },
  turn: { on: ['TURN_URL'] },
  anthropic: { on: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'], host: 'api.anthropic.com' },
  openai: { on: ['OPENAI_BASE_URL', 'OPENAI_API_KEY'], host: 'api.openai.com' },
  speech: { on: ['SPEECH_URL', 'SPEECH_KEY'] },
  deepgram: { on: ['DEEPGRAM_API_KEY'], host: 'api.deepgram.com' },
  stripe: { on: ['STRIPE_API_BASE', 'STRIPE_SECRET_KEY'], host: 'api.stripe.com' },
  hubspot: { on: ['HUBSPOT_API_BASE', 'HUBSPOT_CLIENT_ID'], host: 'api.hubapi.com' },
  salesforce: {
    on: ['SALESFORCE_LOGIN_URL', 'SALESFORCE_CLIENT_ID'],
    host: 'login.salesforce.com',
  },
};

/** As configured, and nothing that is not: the page's list is the truth. */
export function processorsOf(config: Record<string, unknown>): Processor[] {
  return Object.entries(processorSettings).map(([id, { on, host }]) => {
    const given = on.map((name) => config[name]).filter((value) => typeof value === 'string');
    const hosts = given.flatMap(hostsOf);
    return { id, host: given.length === 0 ? null : hosts.join(', ') || (host ?? '') };
  });
}

/** The hosts of addresses by commas, without user, password or port: `turn:a:3478,turn:b`. */
function hostsOf(value: string): string[] {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.flatMap((entry) => {
    const [, host] = /^[a-z+]+:(?:\/\/)?(?:[^@/]*@)?(\[[^\]]+\]|[^:/?]+)/.exec(entry) ?? [];
    return host ? [host] : [];
  });
}
