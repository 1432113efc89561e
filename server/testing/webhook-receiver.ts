import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { webhookEnvelope } from '#domain/webhooks/events.ts';

type ReceivedEvent = z.infer<typeof webhookEnvelope>;

interface WebhookReply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A receiver of webhooks, which verifies as the Standard Webhooks library does. */
export class WebhookReceiver {
  readonly received: { event: ReceivedEvent; headers: IncomingHttpHeaders; body: string }[] = [];
  /** Decides the answer; 204 by default. */
  reply: (event: ReceivedEvent) => WebhookReply | Promise<WebhookReply> = () => ({ status: 204 });
  url = '';
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', async () => {
      const event = webhookEnvelope.parse(JSON.parse(body));
      this.received.push({ event, headers: request.headers, body });
      const { status, headers = {}, body: answer = '' } = await this.reply(event);
      response.writeHead(status, headers).end(answer);
    });
  });

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}/events`;
    return this;
  }

  get types(): string[] {
    return this.received.map(({ event }) => event.type);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const signature = z.object({
  'webhook-id': z.string(),
  'webhook-timestamp': z.string(),
  'webhook-signature': z.string(),
});

/** @throws if the signature is not of this secret */
export const verifySigned = (
  secret: string,
  { headers, body }: Pick<WebhookReceiver['received'][number], 'headers' | 'body'>,
) => new Webhook(secret).verify(body, signature.parse(headers));
