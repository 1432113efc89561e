import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { cachedTool } from './cached-tool.ts';
import { freePort } from './free-port.ts';

const version = '3.0.0';
export const maildevPackage = `maildev@${version}`;
/** Outside the repository. Installed by `scripts/test-tools.ts`. */
export const maildevFolder = cachedTool(`maildev-${version}`);
const program = join(maildevFolder, 'node_modules/maildev/dist/bin/maildev.js');
export const hasMaildev = () => existsSync(program);

const address = z.object({ address: z.string(), name: z.string() });
const mails = z.array(
  z.object({
    subject: z.string(),
    from: z.array(address),
    to: z.array(address),
    text: z.string(),
    /** Inline pictures are in it. */
    html: z.string(),
    attachments: z.array(z.object({ contentType: z.string(), contentDisposition: z.string() })),
  }),
);

export interface Maildev {
  smtpUrl: string;
  /** Returns what it has accepted, as it shows it. */
  read(): Promise<z.infer<typeof mails>>;
  stop(): Promise<void>;
}

/** Starts MailDev, an SMTP server whose API shows what it has received. */
export async function startMaildev(): Promise<Maildev> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-maildev-'));
  const [smtp, web] = [await freePort(), await freePort()];
  const args = [
    ...['--ip', '127.0.0.1', '--smtp', `${smtp}`, '--mail-directory', folder],
    ...['--web-ip', '127.0.0.1', '--web', `${web}`],
  ];
  const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const api = `http://127.0.0.1:${web}/api`;
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt += 1) {
    if (await fetch(`${api}/healthz`).catch(() => null)) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp}`,
    read: async () => mails.parse(await (await fetch(`${api}/email`)).json()),
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
