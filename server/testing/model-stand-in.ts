import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A line as the model reads it. */
const line = z.object({ ref: z.string(), speaker: z.string().optional(), text: z.string() });
export type ReadLine = z.infer<typeof line>;

export interface ModelRequest {
  path: string;
  headers: IncomingMessage['headers'];
  instructions: string;
  prompt: string;
  /** The lines of the conversation in the prompt. */
  lines: ReadLine[];
}

/** What the stand-in does: the text of its answer, a status, silence, or an answer that ends in the middle. */
export type Reaction = string | object | { status: number } | 'silence' | 'cut off';

const message = z.object({ role: z.string(), content: z.unknown() });
const body = z.object({ system: z.unknown().optional(), messages: z.array(message) });

/** Stands in for the HTTP APIs of Anthropic, OpenAI, and OpenAI-compatible servers. */
export class ModelStandIn {
  readonly requests: ModelRequest[] = [];
  react: (request: ModelRequest) => Reaction | Promise<Reaction> = () => '{}';
  readonly #server = createServer((request, reply) => {
    this.#answer(request, reply).catch((error) => reply.destroy(error));
  });

  /** Returns the address for `AI_URL`, `OPENAI_BASE_URL`, and `ANTHROPIC_BASE_URL`. */
  async listen(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const { port } = this.#server.address() as AddressInfo; // it listens on TCP
    return `http://127.0.0.1:${port}/v1`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(() => done()));
  }

  async #answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const read = await readRequest(request);
    this.requests.push(read);
    const reaction = await this.react(read);
    if (reaction === 'silence') return;
    if (reaction === 'cut off') {
      reply.writeHead(200, { 'content-type': 'application/json' });
      reply.write('{"id":"chatcmpl-1","choices":[', () => reply.destroy());
      return;
    }
    if (typeof reaction === 'object' && 'status' in reaction) {
      reply.writeHead(Number(reaction.status), { 'content-type': 'application/json' });
      reply.end('{"error":{"message":"the stand-in refuses","type":"server_error"}}');
      return;
    }
    const text = typeof reaction === 'string' ? reaction : JSON.stringify(reaction);
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(read.path.endsWith('/messages') ? asAnthropic(text) : asOpenAi(text)));
  }
}

async function readRequest(request: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { system, messages } = body.parse(JSON.parse(Buffer.concat(chunks).toString()));
  const ofRole = (role: string) =>
    messages.filter((one) => one.role === role).map(({ content }) => textIn(content));
  const prompt = ofRole('user').join('\n');
  const instructions = [textIn(system ?? ''), ...ofRole('system')].join('\n');
  const lines = prompt.split('\n').flatMap((text) => {
    try {
      return line.safeParse(JSON.parse(text)).data ?? [];
    } catch {
      return [];
    }
  });
  return { path: request.url ?? '', headers: request.headers, instructions, prompt, lines };
}

const parts = z.array(z.object({ text: z.string() }));
const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (parts.safeParse(content).data ?? []).map(({ text }) => text).join('\n');

const asOpenAi = (text: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'stand-in',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});

const asAnthropic = (text: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'stand-in',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 100, output_tokens: 20 },
});
