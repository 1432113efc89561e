import { z } from 'zod';

const databaseError = z.object({ code: z.string(), constraint: z.string().optional() });

/** Drizzle wraps what PostgreSQL said as the cause. */
function said(error: unknown) {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const parsed = databaseError.safeParse(inner);
  return parsed.success ? parsed.data : undefined;
}

/** SQLSTATE 23505, of the named constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const found = said(error);
  return found?.code === '23505' && found.constraint === constraint;
}

/** SQLSTATE 23503: something named in the row is not there, or is another organisation's. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  const found = said(error);
  return found?.code === '23503' && found.constraint === constraint;
}

/** SQLSTATE 55P03 and 40P01: others hold a lock for longer than this transaction waits. */
export const isLockRefused = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(said(error)?.code ?? '');

/** SQLSTATE 53100. */
export const isDiskFull = (error: unknown): boolean => said(error)?.code === '53100';
