import { spawn } from 'node:child_process';

/** Runs a program. @returns whether it succeeded, and what it wrote to its standard error */
export function runTool(
  command: string,
  args: readonly string[],
  { env = process.env, timeout = 0 }: { env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<{ succeeded: boolean; complaints: string }> {
  const child = spawn(command, args, { env, timeout, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  return new Promise((resolve) => {
    child
      .once('error', ({ message }) => resolve({ succeeded: false, complaints: message }))
      .once('close', (code) => resolve({ succeeded: code === 0, complaints }));
  });
}
