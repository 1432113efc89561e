// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { postRefusal } from './on-knock.ts';

const refused = (code: string) => ({
  type: 'refused' as const,
  sequence: 1,
  code,
  message: 'Samuel was already admitted by Ada.',
});

test('the page around the meeting says that another host was first, and nothing of other refusals', () => {
  const post = vi.fn();
  for (const code of ['already_admitted', 'already_denied', 'not_waiting', 'no_call'])
    postRefusal({ post }, refused(code));
  expect(post.mock.calls.map(([message]) => message)).toEqual(
    ['already_admitted', 'already_denied', 'not_waiting'].map((code) => ({
      type: 'refused',
      code,
      message: 'Samuel was already admitted by Ada.',
    })),
  );
});
