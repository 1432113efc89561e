import type { InputAudioTrack } from 'mediabunny';
import { OpusDecoder } from 'opus-decoder';

const perSecond = 10;
/** Seconds whose loudness is kept: twelve hours. */
const mostSeconds = 12 * 60 * 60;
/** Packets that are decoded for one value. Recorders write five, or two and a half. */
const mostPackets = 40;
/** Quieter is shown as silence. */
const quietestDb = -60;

/** The loudness of Opus packets, ten values a second. Other sound has none. */
export class Loudness {
  readonly #decoder: OpusDecoder<16000> | null;
  readonly #peaks: number[] = [];
  #latest = { at: -1, packets: 0 };

  private constructor(decoder: OpusDecoder<16000> | null) {
    this.#decoder = decoder;
  }

  static async of(codec: string | null, track: InputAudioTrack | null): Promise<Loudness> {
    if (codec !== 'opus' || !track) return new Loudness(null);
    const channels = (await track.getNumberOfChannels()) > 1 ? 2 : 1;
    const decoder = new OpusDecoder<16000>({ channels, sampleRate: 16_000 });
    await decoder.ready;
    return new Loudness(decoder);
  }

  /** @param timestamp of the packet, in seconds */
  add(timestamp: number, packet: Uint8Array): void {
    if (!this.#decoder || timestamp > mostSeconds) return;
    const at = Math.floor(timestamp * perSecond);
    this.#latest = { at, packets: at === this.#latest.at ? this.#latest.packets + 1 : 1 };
    if (this.#latest.packets > mostPackets) return;
    const { channelData, samplesDecoded } = this.#decoder.decodeFrame(packet);
    const [samples] = channelData;
    if (!samples || samplesDecoded === 0) return;
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    while (this.#peaks.length <= at) this.#peaks.push(0);
    this.#peaks[at] = Math.max(this.#peaks[at] ?? 0, Math.sqrt(sum / samplesDecoded));
  }

  /** Returns values from 0, silence, to 255, full scale. */
  values(): number[] {
    return this.#peaks.map((peak) => {
      const db = peak > 0 ? 20 * Math.log10(peak) : quietestDb;
      return Math.round(255 * Math.min(1, Math.max(0, 1 - db / quietestDb)));
    });
  }
}
