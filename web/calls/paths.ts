import type { CallId } from '#domain/ids.ts';

/** The page of a call, during and after it. */
export const callDetailsPath = (id: CallId) => `/app/calls/${id}`;

/** The query parameter that opens the score dialog. */
export const rateParam = 'rate';
