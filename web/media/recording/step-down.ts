import type { MonitoredConnection } from '#web/media/monitored-connection.ts';

type Entry = Record<string, unknown>;
type Connections = () => ReadonlyMap<string, MonitoredConnection>;

/** Frames a second of one picture that a connection sends, and of the camera or screen that it comes from. */
export interface SentPicture {
  source: string;
  sent: number;
  given: number;
}

const everyMs = 2_000;
/** Below this share of what was sent before, the call suffers. */
const leastShare = 0.8;
/** A second or two of a busy machine is no reason. */
const samplesBeforeLess = 4;
/** A screen that stands still gives hardly any. */
const leastGiven = 5;

/** Watches what the call sends while it is recorded, and says when recording takes too much of the machine. */
export class StepDown {
  readonly #connections: Connections;
  readonly #onLess: () => void;
  /** By connection and picture: frames a second before it was recorded. */
  #before = new WeakMap<object, Map<string, number>>();
  #short = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param onLess called each time that the recording must take less */
  constructor(connections: Connections, onLess: () => void) {
    this.#connections = connections;
    this.#onLess = onLess;
  }

  start(): void {
    this.stop();
    this.#before = new WeakMap();
    void this.#look((key, pictures) => {
      this.#before.set(key, new Map(pictures.map(({ source, sent }) => [source, sent])));
    });
    this.#timer = setInterval(() => void this.#sample(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#short = 0;
  }

  async #sample(): Promise<void> {
    const all: SentPicture[] = [];
    await this.#look((key, pictures) => {
      const before = this.#before.get(key);
      for (const picture of pictures) {
        const given = Math.min(picture.given, before?.get(picture.source) ?? picture.given);
        all.push({ ...picture, given });
      }
    });
    const share = shareOf(all);
    this.#short = share !== null && share < leastShare ? this.#short + 1 : 0;
    if (this.#short < samplesBeforeLess) return;
    this.#short = 0;
    this.#onLess();
  }

  async #look(see: (key: object, pictures: SentPicture[]) => void): Promise<void> {
    for (const connection of this.#connections().values()) {
      see(connection.key, sentPictures(await connection.stats()));
    }
  }
}

/** Returns the share of the frames that could be sent; null if there are none. */
function shareOf(pictures: readonly SentPicture[]): number | null {
  const moving = pictures.filter(({ given }) => given >= leastGiven);
  if (moving.length === 0) return null;
  const sum = (key: 'sent' | 'given') => moving.reduce((all, one) => all + one[key], 0);
  return sum('sent') / sum('given');
}

/** Reads `getStats` (W3C webrtc-stats). A picture that lacks bandwidth is left out: recording less does not help it. */
export function sentPictures(entries: readonly Entry[]): SentPicture[] {
  const pictures = new Map<string, SentPicture>();
  for (const entry of entries) {
    const { type, kind, active, mediaSourceId, qualityLimitationReason } = entry;
    if (type !== 'outbound-rtp' || kind !== 'video' || active === false) continue;
    if (typeof mediaSourceId !== 'string' || !(Number(entry.framesEncoded) > 0)) continue;
    if (qualityLimitationReason === 'bandwidth') {
      pictures.set(mediaSourceId, { source: mediaSourceId, sent: 0, given: 0 });
      continue;
    }
    const sent = framesOf(entry);
    const known = pictures.get(mediaSourceId);
    // Layers of the same picture: the fastest one counts.
    if (known && known.sent >= sent) continue;
    if (known?.given === 0) continue;
    const given = framesOf(entries.find(({ id }) => id === mediaSourceId) ?? {});
    pictures.set(mediaSourceId, { source: mediaSourceId, sent, given });
  }
  return [...pictures.values()].filter(({ given }) => given > 0);
}

const framesOf = ({ framesPerSecond }: Entry): number =>
  typeof framesPerSecond === 'number' ? framesPerSecond : 0;
