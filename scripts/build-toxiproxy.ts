import { toxiproxyExecutable, toxiproxyVersion } from '../e2e/support/toxiproxy.ts';
import { buildGoProgram } from './build-go-program.ts';

/** The tests of lines that go bad need it. @returns whether there is one */
export const buildToxiproxy = (log: (line: string) => void): boolean =>
  buildGoProgram(
    {
      name: `toxiproxy ${toxiproxyVersion}`,
      untested: 'lines that go bad are',
      module: `github.com/Shopify/toxiproxy/v2/cmd/server@v${toxiproxyVersion}`,
      executable: toxiproxyExecutable(),
      takes: 'half a minute or so',
    },
    log,
  );
