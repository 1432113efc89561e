import type { CallId } from '#domain/ids.ts';

/** What is left of a call. */
export const callDetailsPath = (id: CallId) => `/app/calls/${id}`;

/** Stands in that address while the score is asked for. */
export const rateParam = 'rate';
