import { expect, test } from 'vitest';
import { DomainError, invalid, toProblem } from './errors.ts';

test('the error for a missing session contains only its status and title', () => {
  const refusal = new DomainError('unauthorized', 'not_signed_in', 'Unauthorized');
  expect(toProblem(refusal)).toEqual({ status: 401, title: 'Unauthorized' });
});

test('any other refusal has a code for programs and a message for people', () => {
  expect(toProblem(invalid('bad_score', 'Please choose a score', 'npsScore'))).toEqual({
    status: 400,
    title: 'Bad Request',
    code: 'bad_score',
    message: 'Please choose a score',
    errors: [{ path: 'npsScore', message: 'Please choose a score' }],
  });
});
