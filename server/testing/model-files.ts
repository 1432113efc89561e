import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/** A server of model files on this machine, which serves the same content under each path. */
export class ModelFileServer {
  readonly content = Buffer.alloc(300_000, 'weights ');
  readonly sha256 = createHash('sha256').update(this.content).digest('hex');
  /** The `Range` header of each request. */
  readonly asked: (string | undefined)[] = [];
  hasRanges = true;
  /** Whether an answer says how long it is. */
  tellsLength = true;
  /** Bytes after which the server breaks the connection. */
  breaksAfter = Number.POSITIVE_INFINITY;
  /** Resolves once the connection may break. */
  mayBreak: () => Promise<unknown> = async () => undefined;
  /** Answers no request until this is resolved. */
  gate: Promise<void> = Promise.resolve();
  status: number | null = null;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  url = '';

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    this.url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  reset(): void {
    this.asked.length = 0;
    this.hasRanges = true;
    this.tellsLength = true;
    this.breaksAfter = Number.POSITIVE_INFINITY;
    this.mayBreak = async () => undefined;
    this.gate = Promise.resolve();
    this.status = null;
  }

  /** Stores a description of a model with three of these files, as the operator does. */
  describe(dataDir: string, name: string, given: { sha256?: string; sizeBytes?: number } = {}) {
    const folder = join(dataDir, 'speech-models');
    mkdirSync(folder, { recursive: true });
    const file = (path: string) => ({
      url: `${this.url}/${path}`,
      sha256: this.sha256,
      sizeBytes: this.content.length,
      ...given,
    });
    const model = {
      name,
      kind: 'whisper',
      license: 'MIT',
      languages: ['en', 'de'],
      files: { encoder: file('encoder'), decoder: file('decoder'), tokens: file('tokens') },
    };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(model));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { range } = request.headers;
    this.asked.push(range);
    await this.gate;
    if (this.status !== null) return void response.writeHead(this.status).end();
    const all = this.content.length;
    const from = this.hasRanges ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    const sent = this.content.subarray(from, from + this.breaksAfter);
    response.writeHead(from > 0 ? 206 : 200, {
      ...(this.tellsLength && { 'content-length': all - from }),
      ...(from > 0 && { 'content-range': `bytes ${from}-${all - 1}/${all}` }),
    });
    if (from + sent.length === all) response.end(sent);
    else {
      response.write(sent);
      await this.mayBreak();
      response.destroy();
    }
  }
}
