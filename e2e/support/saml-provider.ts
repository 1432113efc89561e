import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedTool } from '#server/testing/cached-tool.ts';
import { freePort } from '#server/testing/free-port.ts';
import { providerKeys } from '#server/testing/saml-keys.ts';

/** The Python environment with pysaml2, outside the repository; scripts/install-tools.ts creates it. */
export const samlFolder = cachedTool('pysaml2');
export const samlPython = join(samlFolder, 'bin', 'python');
export const hasXmlsec = () => existsSync('/usr/bin/xmlsec1');
export const hasSamlProvider = () => existsSync(samlPython) && hasXmlsec();

/** Starts a real SAML identity provider on this machine (pysaml2), which trusts this service provider. */
export async function startSamlProvider(ourMetadata: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-saml-'));
  writeFileSync(join(folder, 'sp.xml'), ourMetadata);
  writeFileSync(join(folder, 'key.pem'), providerKeys.key);
  writeFileSync(join(folder, 'cert.pem'), providerKeys.certificate);
  const port = await freePort();
  const script = join(import.meta.dirname, 'saml-provider.py');
  const child = spawn(samlPython, [script, String(port), folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return {
    metadata: await answered(`http://127.0.0.1:${port}/metadata`, () => {
      if (child.exitCode !== null) throw new Error(`The SAML provider did not start:\n${output}`);
    }),
    output: () => output,
    close: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answered(url: string, check: () => void): Promise<string> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; check()) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return answer.text();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} does not answer`);
}
