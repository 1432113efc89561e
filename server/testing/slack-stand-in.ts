import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { mostBlocks, mostSectionCharacters } from '#domain/slack/message.ts';
import { openOutside } from '#server/platform/outside.ts';
import type { SafeFetch } from '#server/platform/safe-fetch.ts';

const mrkdwn = z.strictObject({
  type: z.literal('mrkdwn'),
  text: z.string().min(1).max(mostSectionCharacters),
  // Without it, Slack makes links and mentions of plain text.
  verbatim: z.literal(true),
});
/** What Slack documents of the blocks that we use (Block Kit), and nothing else. */
const message = z.strictObject({
  text: z.string().min(1).max(40_000),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('section'), text: mrkdwn }),
        z.strictObject({ type: z.literal('context'), elements: z.array(mrkdwn).min(1).max(10) }),
      ]),
    )
    .min(1)
    .max(mostBlocks),
});
type ReceivedMessage = z.infer<typeof message> & { path: string };

interface SlackReply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** Slack's incoming webhooks: what is no valid message is answered `invalid_payload`. */
export class SlackStandIn {
  readonly received: ReceivedMessage[] = [];
  readonly invalid: string[] = [];
  /** Decides the answer to a valid message; Slack's `ok` by default. */
  reply: () => SlackReply = () => ({ status: 200, body: 'ok' });
  #port = 0;
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { success, data } = message.safeParse(JSON.parse(body));
      if (!success || request.headers['content-type'] !== 'application/json') {
        this.invalid.push(body);
        response.writeHead(400).end('invalid_payload');
        return;
      }
      this.received.push({ ...data, path: request.url ?? '' });
      const { status, body: answer, headers } = this.reply();
      response.writeHead(status, headers).end(answer);
    });
  });

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Access to the outside in which hooks.slack.com is this server, by the real checks of addresses. */
  outside(): ReturnType<typeof openOutside> {
    const real = openOutside({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' } as never);
    const fetch: SafeFetch = (url, options) =>
      real.fetch(
        url.replace('https://hooks.slack.com/', `http://127.0.0.1:${this.#port}/`),
        options,
      );
    return { ...real, fetch };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
