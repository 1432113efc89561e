import type { z } from 'zod';

export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}
export interface Room {
  id: string;
  name: string;
  api_created: true;
  privacy: string;
  url: string;
  created_at: string;
  config: object;
}

/** A 4xx or 5xx as on Daily's page "Errors": `error` is its name, `info` the description. */
export const refusal = (status: number, error: string, info: string): Reply => ({
  status,
  body: { error, info },
});
export const invalid = (info: string) => refusal(400, 'invalid-request-error', info);

export function checked<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  answer: (given: z.output<Schema>) => Reply,
): Reply {
  const given = schema.safeParse(body ?? {});
  if (given.success) return answer(given.data);
  const [issue] = given.error.issues;
  return invalid(`${issue?.path.join('.')}: ${issue?.message}`);
}
