import type { MakeServerPath } from './server-path.ts';

let loading: Promise<MakeServerPath> | null = null;

/** LiveKit's client is larger than the whole page: it is loaded for calls that need it alone. */
export function loadServerPath(): Promise<MakeServerPath> {
  loading ??= import('../livekit/livekit-path.ts').then(
    ({ makeServerPath }) => makeServerPath,
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
