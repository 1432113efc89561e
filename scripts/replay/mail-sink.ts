import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually, NotReplayed } from './eventually.ts';

export interface SunkMail {
  to: string;
  subject: string;
  text: string;
  at: number;
}

/** A mail server on the loopback interface that stores its messages. */
export class MailSink {
  readonly mails: SunkMail[] = [];
  readonly #server: SMTPServer;

  constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, session, done) => {
        const to = session.envelope.rcptTo.map(({ address }) => address.toLowerCase()).join(',');
        text(stream).then((source) => {
          this.mails.push({ to, ...readMail(source), at: Date.now() });
          done();
        }, done);
      },
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server.server, 'listening');
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  to(address: string, fits: RegExp = /./): SunkMail[] {
    return this.mails.filter(({ to, subject }) => to === address && fits.test(subject));
  }

  /** Returns the token of the newest link of this kind, waiting for up to half a minute. */
  async token(address: string, path: string): Promise<string> {
    const link = new RegExp(`/${path}/([\\w.~-]+)`);
    const found = () => this.to(address).findLast((mail) => link.test(mail.text));
    await eventually(() => found() !== undefined, 30);
    const token = link.exec(found()?.text ?? '')?.[1];
    if (!token) throw new NotReplayed(`no mail with a link /${path} came to ${address}`);
    return token;
  }
}

/** Returns the subject and the plain text of a message (RFC 5322, RFC 2045). */
function readMail(source: string): { subject: string; text: string } {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ');
  const subject = /^subject: (.*)$/im.exec(unfolded)?.[1] ?? '';
  const part = /content-type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)(?:\r\n--|$)/i.exec(source);
  const isQuoted = /quoted-printable/i.test(part?.[0] ?? '');
  const isBase64 = /encoding: base64/i.test(part?.[0] ?? '');
  const body = part?.[1] ?? '';
  if (isBase64) return { subject: words(subject), text: Buffer.from(body, 'base64').toString() };
  return { subject: words(subject), text: isQuoted ? unquoted(body) : body };
}

const bytesOf = (quoted: string) =>
  quoted.replace(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
const unquoted = (given: string) =>
  Buffer.from(bytesOf(given.replace(/=\r\n/g, '')), 'latin1').toString('utf8');

/** Decodes the encoded words of a header (RFC 2047). */
const words = (subject: string) =>
  subject
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, given: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(given, 'base64').toString('utf8')
        : unquoted(given.replaceAll('_', ' ')),
    );
