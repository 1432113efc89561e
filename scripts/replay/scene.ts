import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#server/testing/free-port.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { startNameServer } from '../../e2e/support/name-server.ts';
import { discard, type Program, startProgram } from '../../e2e/support/program.ts';
import { MailSink } from './mail-sink.ts';
import { Person } from './person.ts';
import { silentModel } from './silent-model.ts';

export const password = 'correct horse battery';

type NameServer = Awaited<ReturnType<typeof startNameServer>>;
type SilentModel = Awaited<ReturnType<typeof silentModel>>;

/** What an attack uses: an instance with its mail, a name server, an identity provider, and people. */
export class Scene {
  readonly program: Program;
  readonly sink: MailSink;
  readonly names: NameServer;
  readonly idp: FakeProvider;
  readonly model: SilentModel;
  #admins: Person[] = [];
  #made = 0;

  constructor(
    program: Program,
    sink: MailSink,
    names: NameServer,
    idp: FakeProvider,
    model: SilentModel,
  ) {
    this.program = program;
    this.sink = sink;
    this.names = names;
    this.idp = idp;
    this.model = model;
  }

  get url() {
    return this.program.url;
  }

  /** The WebSocket URL, by IPv4 instead of `localhost`, which may resolve to IPv6. */
  get live() {
    return this.url.replace('http://localhost', 'ws://127.0.0.1');
  }

  visitor = (address?: string) => new Person(this.url, address);

  newEmail(domain = 'example.com'): string {
    this.#made += 1;
    return `person-${this.#made}@${domain}`;
  }

  /** Registers a person, with a new organization and an unverified address. */
  async register(email = this.newEmail(), orgName = `Org of ${email.split('@')[0]}`) {
    const person = this.visitor();
    const body = { email, password, firstName: 'First', lastName: 'Last', orgName };
    person.user = await person.call('POST', '/api/register', body);
    person.email = email;
    return person;
  }

  async verify(person: Person): Promise<Person> {
    const token = await this.sink.token(person.email, 'verify-email');
    await person.call('POST', `/api/verify-email/${token}`);
    return person;
  }

  /** Registers admins with verified addresses together, so that their emails are sent together. */
  async prepareAdmins(count: number): Promise<void> {
    const made = await Promise.all(Array.from({ length: count }, () => this.register()));
    this.#admins.push(...(await Promise.all(made.map((person) => this.verify(person)))));
  }

  /** Returns the admin of a new organization, with a verified address. */
  async admin(): Promise<Person> {
    const ready = this.#admins.pop();
    return ready ?? this.verify(await this.register());
  }

  /** Invites by email, accepts by the mailed link, and returns the member, signed in. */
  async member(of: Person, role: string, email = this.newEmail()): Promise<Person> {
    await of.call('POST', '/api/users/invite', { email, role });
    const token = await this.sink.token(email, 'invite');
    const person = this.visitor();
    person.email = email;
    const body = { email, password, firstName: 'First', lastName: 'Last' };
    person.user = await person.call('POST', `/api/invitations/${token}/accept`, body);
    await this.signIn(person);
    return person;
  }

  async signIn(person: Person) {
    const reply = await person.send('POST', '/api/login', { email: person.email, password });
    if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}: ${reply.text}`);
    person.user = reply.body;
    return person;
  }

  /** Claims a domain, publishes its record, and has it verified. */
  async ownDomain(admin: Person, domain: string): Promise<string> {
    const claimed = await admin.call('POST', '/api/sso/domains', { domain });
    this.names.publish(claimed.recordName, claimed.recordText);
    const verified = await admin.call('POST', `/api/sso/domains/${claimed.id}/verify`);
    if (!verified.verifiedAt) throw new Error(`${domain} was not verified`);
    return claimed.id;
  }

  async close(): Promise<void> {
    await discard(this.program);
    await Promise.all([this.sink.close(), this.idp.close()]);
    this.names.close();
    this.model.close();
  }
}

/**
 * Starts a fresh instance with the users' limits, which trusts this program as its proxy.
 * @param more settings of the instance
 */
export async function openScene(more: Record<string, string> = {}): Promise<Scene> {
  const sink = new MailSink();
  const [smtp, names, idp, model, port] = await Promise.all([
    sink.listen(),
    startNameServer(),
    fakeProvider(),
    silentModel(),
    freePort(),
  ]);
  const env = {
    SMTP_URL: smtp,
    PUBLIC_URL: `http://localhost:${port}`,
    SIGNUP: 'open',
    TRUSTED_PROXIES: '127.0.0.1',
    ALLOW_PRIVATE_TARGETS: '127.0.0.1',
    DNS_SERVERS: names.address,
    RATE_LIMIT_SCALE: '1',
    // For the attack on budgets; the other organizations use the built-in analyzer.
    ...{ AI_PROVIDER: 'offline', AI_URL: model.url, AI_MODEL: 'silent' },
    LOG_LEVEL: 'info',
    // Nothing is recognized; without a service nothing would be transcribed.
    SPEECH_PROVIDER: 'openai-compatible',
    SPEECH_URL: 'http://127.0.0.1:9/v1',
    ...more,
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'rapport-replay-'));
  return new Scene(await startProgram(env, dataDir, port), sink, names, idp, model);
}
