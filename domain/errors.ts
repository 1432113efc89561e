import { z } from 'zod';

const statuses = {
  invalid: { status: 400, title: 'Bad Request' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  plan_limit: { status: 402, title: 'Payment Required' },
  payment_failed: { status: 402, title: 'Payment Required' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not Found' },
  timed_out: { status: 408, title: 'Request Timeout' },
  conflict: { status: 409, title: 'Conflict' },
  gone: { status: 410, title: 'Gone' },
  precondition_failed: { status: 412, title: 'Precondition Failed' },
  too_large: { status: 413, title: 'Content Too Large' },
  unsupported: { status: 415, title: 'Unsupported Media Type' },
  unsatisfiable: { status: 416, title: 'Range Not Satisfiable' },
  misdirected: { status: 421, title: 'Misdirected Request' },
  unprocessable: { status: 422, title: 'Unprocessable Content' },
  too_many: { status: 429, title: 'Too Many Requests' },
  unavailable: { status: 503, title: 'Service Unavailable' },
  storage_full: { status: 507, title: 'Insufficient Storage' },
} as const;

export type ErrorKind = keyof typeof statuses;

export interface FieldError {
  /** Dotted path into the payload, e.g. `checklistItems.0.text`. */
  path: string;
  message: string;
}

/**
 * A refusal that a caller can act on. `kind` determines the HTTP status, `code` is stable for
 * programs and translation, `message` is a sentence for a person that states what to do.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: string | undefined;
  readonly errors: FieldError[] | undefined;
  /** For 429: when a retry makes sense (RFC 9110, Retry-After). */
  readonly retryAfterSeconds: number | undefined;
  /** Headers of the answer beside those that every refusal has. */
  readonly headers: Record<string, string>;

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    more: {
      details?: string;
      errors?: FieldError[];
      retryAfterSeconds?: number;
      headers?: Record<string, string>;
    } = {},
  ) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.code = code;
    this.details = more.details;
    this.errors = more.errors;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return statuses[this.kind].status;
  }
}

/** There is no session, or it has ended, possibly since the request began. */
export const notSignedIn = () => new DomainError('unauthorized', 'not_signed_in', 'Unauthorized');

/** The account is in no organization, or has left it since the request began. */
export const noOrganization = () =>
  new DomainError(
    'forbidden',
    'no_organization',
    'You’re not in an organization. Create one, or ask for an invitation.',
  );

/** The account's role lacks the permission, or has lost it since the request began. */
export const roleForbids = () =>
  new DomainError(
    'forbidden',
    'forbidden',
    'Your role doesn’t allow this. Ask an admin of your organization.',
  );

/** Also the answer for another organization's id, so that its existence is not revealed. */
export const notFound = () =>
  new DomainError('not_found', 'not_found', 'We couldn’t find that. It may have been deleted.');

export const invalid = (code: string, message: string, path = '') =>
  new DomainError('invalid', code, message, { errors: [{ path, message }] });

/**
 * RFC 9457 with our members `message`, `details`, `code` and `errors` (docs/product-decisions.md,
 * Paths and sessions).
 */
export const problem = z.object({
  status: z.int(),
  title: z.string(),
  code: z.string().optional(),
  message: z.string().optional(),
  details: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problem>;

/**
 * Returns the body of an error answer. The error for a missing session has neither `message` nor
 * `details`, so that the specification's generic rule yields `401: {…"Unauthorized"}`
 * (docs/product-decisions.md).
 */
export function toProblem(error: DomainError): Problem {
  const { status, title } = statuses[error.kind];
  if (error.code === 'not_signed_in') return { status, title };
  return {
    status,
    title,
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.errors === undefined ? {} : { errors: error.errors }),
  };
}
