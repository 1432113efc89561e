import type { Connection, Statement } from '#server/platform/database.ts';

const lowered: Statement = { name: 'guest_key', text: 'select lower($1) as key' };

/**
 * Returns a guest's name or address as statements compare it. PostgreSQL lowers it, as it does the stored ones:
 * JavaScript makes two characters of "İ", and a "ς" of a "Σ" that ends a word.
 */
export async function guestKeyOf(
  { run }: Pick<Connection, 'run'>,
  nameOrEmail: string,
): Promise<string> {
  const given = nameOrEmail.trim().replace(/\s+/gu, ' ').normalize('NFC');
  const [found] = await run<{ key: string }>(lowered, [given]);
  return found?.key ?? '';
}
