import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Claim, claimsFile, exampleClaims } from '#domain/public/claims.ts';

/**
 * Returns the claims of the public pages from `claims.json` in the data folder, which the operator
 * edits. A missing file is created with the examples.
 * @throws an Error whose message describes the problem of the file
 */
export function readClaims(dataDir: string): Claim[] {
  const file = join(dataDir, 'claims.json');
  if (!existsSync(file)) {
    writeFileSync(file, `${JSON.stringify({ claims: exampleClaims }, null, 2)}\n`);
    return exampleClaims;
  }
  const parsed = claimsFile.safeParse(readJson(file));
  if (parsed.success) return parsed.data.claims;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the file';
  throw unusable(file, `${place} ${issue?.message}`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error));
  }
}

const unusable = (file: string, why: string) =>
  new Error(
    `${file} cannot be used: ${why}. Mend it, or delete it: Rapport then writes one with examples.`,
  );
