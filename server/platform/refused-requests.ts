import type { FastifyRequest } from 'fastify';

interface Noted {
  accountId?: string;
  code?: string;
}

const noted = new WeakMap<FastifyRequest, Noted>();

/** Notes of a request who asked, or by which code it was refused, for the program's log. */
export function noteOf(request: FastifyRequest, more: Noted): void {
  noted.set(request, { ...noted.get(request), ...more });
}

const refusals = new Set([400, 401, 403, 404, 429]);

/** What the log says of a request that was refused: who asked and why it was; of others nothing. */
export const refusalOf = (request: FastifyRequest, status: number): Noted =>
  refusals.has(status) ? (noted.get(request) ?? {}) : {};
