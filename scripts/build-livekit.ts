import { liveKitExecutable, liveKitVersion } from '../e2e/support/livekit-server.ts';
import { buildGoProgram } from './build-go-program.ts';

/** The tests of the engine need a real one. @returns whether there is one */
export const buildLiveKit = (log: (line: string) => void): boolean =>
  buildGoProgram(
    {
      name: `LiveKit ${liveKitVersion}`,
      untested: 'calls by LiveKit are',
      module: `github.com/livekit/livekit-server/cmd/server@v${liveKitVersion}`,
      executable: liveKitExecutable(),
      takes: 'four minutes or so',
    },
    log,
  );
