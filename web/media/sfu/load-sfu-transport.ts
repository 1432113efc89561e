import type { MakeSfuTransport } from './sfu-transport.ts';

let loading: Promise<MakeSfuTransport> | null = null;

/** Loads LiveKit's client, which is larger than the whole page, only for calls that use an SFU. */
export function loadSfuTransport(): Promise<MakeSfuTransport> {
  loading ??= import('./livekit-transport.ts').then(
    ({ makeSfuTransport }) => makeSfuTransport,
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
