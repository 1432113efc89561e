import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });

export interface EarlierCheckout {
  root: string;
  /** The short hash. */
  hash: string;
  remove(): void;
}

/**
 * Checks out an earlier commit into a temporary folder, ready to start. It shares this checkout's
 * packages if both have the same lock; otherwise it installs its own.
 * @throws if the revision is unknown, or npm fails
 */
export function checkOut(revision: string): EarlierCheckout {
  const hash = git('rev-parse', '--short', `${revision}^{commit}`).trim();
  const root = join(mkdtempSync(join(tmpdir(), 'rapport-earlier-')), 'checkout');
  git('worktree', 'add', '--detach', '--quiet', root, hash);
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lock(root) === lock(repository)) {
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  } else {
    const options = ['ci', '--loglevel=error', '--ignore-scripts'];
    execFileSync('npm', options, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return {
    root,
    hash,
    remove: () => {
      if (existsSync(root)) git('worktree', 'remove', '--force', root);
      rmSync(join(root, '..'), { recursive: true, force: true });
    },
  };
}
