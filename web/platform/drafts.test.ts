// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { Draft, forgetDrafts } from '#web/platform/drafts.ts';

afterEach(() => sessionStorage.clear());

const everythingKept = () =>
  Object.keys(sessionStorage)
    .map((key) => sessionStorage.getItem(key))
    .join();

test.each(['password', 'currentPassword', 'confirmPassword', 'clientSecret'])(
  'the field %s never reaches the saved draft, not even inside another value',
  (name) => {
    const draft = new Draft('ada', 'form');
    draft.keep({ email: 'ada@example.com', [name]: 'hunter2', nested: [{ [name]: 'hunter2' }] });
    expect(everythingKept()).toContain('ada@example.com');
    expect(everythingKept()).not.toContain('hunter2');
    expect(draft.read({ email: '', [name]: '' })).toEqual({ email: 'ada@example.com', [name]: '' });
  },
);

test('only the account that wrote a draft can read it', () => {
  new Draft('ada', 'room').keep({ topic: 'Kick-off' });
  expect(new Draft('bo', 'room').read({ topic: '' })).toBe(null);
  expect(new Draft('ada', 'room').read({ topic: '' })).toEqual({ topic: 'Kick-off' });
});

test('logging out deletes the drafts of every account and nothing else', () => {
  new Draft('ada', 'room').keep({ topic: 'Kick-off' });
  new Draft('bo', 'room').keep({ topic: 'Renewal' });
  sessionStorage.setItem('other', 'stays');
  forgetDrafts();
  expect(Object.keys(sessionStorage)).toEqual(['other']);
});

test.each(['not json', 'null', '7', '"text"'])('a malformed draft (%s) counts as none', (text) => {
  sessionStorage.setItem('rapport:draft:ada:room', text);
  expect(new Draft('ada', 'room').read({ topic: '' })).toBe(null);
});
