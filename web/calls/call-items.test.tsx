// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CallItems } from '#web/calls/call-items.tsx';
import { someCall, somePlaybook } from '#web/testing/some.ts';

afterEach(cleanup);

test('the checklist is in its order, and says of each item whether it was done', () => {
  const [greet, agree, close] = somePlaybook(['Greet', 'Agree', 'Close']).checklistItems;
  if (!greet || !agree || !close) throw new Error('The playbook has three items');
  render(
    <CallItems
      call={someCall({
        checklistItems: [close, greet, agree],
        checklistStateJson: { [agree.id]: true, [close.id]: false },
      })}
    />,
  );
  const items = screen.getAllByRole('listitem');
  expect(items.map((each) => each.textContent)).toEqual(['Greet', 'Agree', 'Close']);
  const names = screen.getAllByRole('img').map((icon) => icon.getAttribute('aria-label'));
  expect(names[1]).toBe('Done');
  expect([names[0], names[2]]).toEqual(['Not done', 'Not done']);
});

test('a call without a checklist says so', () => {
  render(<CallItems call={someCall()} />);
  expect(screen.queryByRole('list')).toBe(null);
  expect(document.body.textContent).toBe('This call had no playbook.');
});
