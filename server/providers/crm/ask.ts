import { z } from 'zod';
import { DomainError } from '#domain/errors.ts';
import { retryAfterSeconds } from '#domain/webhooks/retries.ts';
import { maskSecrets, secretsOfForm } from './mask-secrets.ts';
import { CrmFailure, type CrmFetch } from './port.ts';

const timeoutMs = 10_000;

interface Asked {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  /** In the address. */
  secrets?: readonly string[];
}

/**
 * Returns a CRM's answer, by its shape.
 * @throws CrmFailure
 */
export async function ask<Shape extends z.ZodType>(
  fetch: CrmFetch,
  url: string,
  { method = 'GET', token, json, form, secrets = [] }: Asked,
  shape: Shape,
): Promise<z.infer<Shape>> {
  const body = json ? JSON.stringify(json) : form && new URLSearchParams(form).toString();
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) {
    headers['content-type'] = json ? 'application/json' : 'application/x-www-form-urlencoded';
    headers['content-length'] = String(Buffer.byteLength(body));
  }
  const options = { method, headers, timeoutMs, ...(body === undefined ? {} : { body }) };
  const answer = await fetch(url, options).catch((error: unknown) => {
    if (error instanceof DomainError) throw new CrmFailure('unavailable', error.message);
    throw error;
  });
  const text = await answer.text();
  if (!answer.ok) {
    const sent = [...secrets, ...(token ? [token] : []), ...secretsOfForm(form)];
    throw failureOf(answer, text, (message) => maskSecrets(message, sent));
  }
  const parsed = shape.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new CrmFailure('unavailable', 'It answered something that can’t be read.');
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const errorBody = z.union([
  z.object({ message: z.string(), category: z.string().optional() }),
  z.object({ error: z.string(), error_description: z.string().optional() }),
  z.array(z.object({ message: z.string(), errorCode: z.string() })).min(1),
]);

function failureOf(answer: Response, text: string, mask: (message: string) => string): CrmFailure {
  const { status } = answer;
  const { code, message: said } = readError(jsonOf(text), status);
  const message = mask(said);
  const after = retryAfterSeconds(answer.headers.get('retry-after'), new Date());
  if (status === 429) return new CrmFailure('busy', message, after);
  // Salesforce's daily limit.
  if (code === 'REQUEST_LIMIT_EXCEEDED') return new CrmFailure('busy', message, after ?? 900);
  if (status >= 500) return new CrmFailure('unavailable', message, after);
  if (status === 401 || code === 'invalid_grant' || code === 'BAD_REFRESH_TOKEN')
    return new CrmFailure('unauthorized', message);
  if (status === 403) return new CrmFailure('forbidden', message);
  if (status === 404 || status === 410 || code === 'ENTITY_IS_DELETED')
    return new CrmFailure('missing', message);
  if (status === 408 || (status >= 300 && status < 400))
    return new CrmFailure('unavailable', message);
  return new CrmFailure('rejected', message);
}

function readError(body: unknown, status: number): { code: string | null; message: string } {
  const { data } = errorBody.safeParse(body);
  if (!data) return { code: null, message: `It answered ${status}.` };
  if (Array.isArray(data))
    return { code: data[0]?.errorCode ?? null, message: data[0]?.message ?? `${status}` };
  if ('message' in data) return { code: data.category ?? null, message: data.message };
  return { code: data.error, message: data.error_description ?? data.error };
}
