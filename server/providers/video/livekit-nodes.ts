import { VideoEngineError } from './port.ts';

export interface LiveKitSettings {
  /** In the order in which they are tried; several if the nodes have no load balancer. */
  urls: readonly string[];
  apiKey: string;
  apiSecret: string;
}

/** `livekit-server-sdk` takes 0.1 s to load, so it is loaded only where LiveKit is used. */
const loadSdk = () => import('livekit-server-sdk');
export type LiveKitSdk = Awaited<ReturnType<typeof loadSdk>>;

/** A node that does not answer for this long is dead. Participants who wait have no video meanwhile. */
const patienceSeconds = 0.8;
/** A recorder is chosen among its machines before the answer. */
const startPatienceSeconds = 10;

/** The nodes of LiveKit, by its server API (Twirp over HTTP). */
export class LiveKitNodes {
  readonly sdk = loadSdk();
  readonly #settings: LiveKitSettings;
  #preferred = 0;

  constructor(settings: LiveKitSettings) {
    this.#settings = settings;
  }

  /** The address that answered last. */
  get url(): string {
    return this.#settings.urls[this.#preferred] ?? '';
  }

  async rooms(url: string) {
    const { RoomServiceClient } = await this.sdk;
    return new RoomServiceClient(...this.#access(url, patienceSeconds));
  }

  async egress(url: string, requestTimeout = patienceSeconds) {
    const { EgressClient } = await this.sdk;
    return new EgressClient(...this.#access(url, requestTimeout));
  }

  /** A client for what must not be asked twice: at the address that answered last, and with time to answer. */
  egressOnce() {
    return this.egress(this.url, startPatienceSeconds);
  }

  #access(url: string, requestTimeout: number) {
    const { apiKey, apiSecret } = this.#settings;
    const options = { requestTimeout, failover: false };
    return [url.replace(/^ws/, 'http'), apiKey, apiSecret, options] as const;
  }

  /**
   * Sends a request to the address that answered last, then to the others. A refusal is an answer;
   * only a missing answer moves on.
   */
  async ask<T>(question: (url: string) => Promise<T>): Promise<T> {
    const { urls } = this.#settings;
    let last: unknown;
    const first = this.#preferred;
    for (let step = 0; step < urls.length; step += 1) {
      const at = (first + step) % urls.length;
      try {
        const answer = await question(urls[at] ?? '');
        this.#preferred = at;
        return answer;
      } catch (error) {
        if (await this.isRefusal(error)) throw error;
        last = error;
      }
    }
    throw new VideoEngineError('LiveKit does not answer.', { cause: last });
  }

  async isRefusal(error: unknown): Promise<boolean> {
    return error instanceof (await this.sdk).TwirpError && error.status < 500;
  }
}
