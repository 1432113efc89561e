import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server that keeps what it accepts. */
export class SmtpReceiver {
  readonly received: { raw: string; mail: ParsedMail; to: string[] }[] = [];
  /** Decides about each mail before it is accepted: an error refuses it. */
  decide: () => Promise<void> = async () => undefined;
  url = '';
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const take = async () => {
        const raw = await buffer(stream);
        await this.decide();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const mail = await simpleParser(raw, { keepCidLinks: true });
        this.received.push({ raw: raw.toString(), mail, to });
      };
      take().then(
        () => done(),
        (error: Error) => done(error),
      );
    },
  });

  async open(): Promise<this> {
    // A sender that gives up closes its connection, which is no failure of the server.
    this.#server.on('error', () => undefined);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.server.address() as AddressInfo;
    this.url = `smtp://127.0.0.1:${port}`;
    return this;
  }

  close = () => new Promise<void>((resolve) => this.#server.close(() => resolve()));
}
