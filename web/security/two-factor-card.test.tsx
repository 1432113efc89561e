// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { TwoFactorCard } from '#web/security/two-factor-card.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';

const enabled = { enabledAt: '2026-03-04T09:00:00Z', recoveryCodesLeft: 8, isRequired: false };

test('turning it off asks for the password, then for a code, and succeeds with both', async () => {
  let confirmed = false;
  const asked = fakeServer({
    'GET /api/user/two-factor': enabled,
    'DELETE /api/user/two-factor': () =>
      confirmed ? null : refusal(403, { code: 'confirmation_needed', message: 'Confirm' }),
    'POST /api/user/confirm': ({ body }) => {
      const { code } = body as { code?: string };
      if (code === undefined)
        return refusal(400, { code: 'second_factor_needed', errors: [{ path: 'code' }] });
      if (code !== '123456')
        return refusal(400, {
          code: 'wrong_code',
          message: 'This code is incorrect',
          errors: [{ path: 'code' }],
        });
      confirmed = true;
      return null;
    },
  });
  const { by } = show(<TwoFactorCard />);
  await by.click(await screen.findByRole('button', { name: 'Turn off' }));
  const dialog = await screen.findByRole('alertdialog');
  await by.click(
    Array.from(dialog.querySelectorAll('button')).find(
      (button) => button.textContent === 'Turn off',
    ) ?? dialog,
  );
  await by.type(await screen.findByLabelText('Password'), 'correct horse');
  expect(screen.queryByLabelText(/Code from your authenticator app/)).toBeNull();
  await by.click(screen.getByRole('button', { name: 'Confirm' }));
  const code = await screen.findByLabelText(/Code from your authenticator app/);
  await by.type(code, '000000');
  await by.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('This code is incorrect')).toBeTruthy();
  await by.clear(code);
  await by.type(code, '123 456');
  await by.click(screen.getByRole('button', { name: 'Confirm' }));
  await expect.poll(() => asked.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
  expect(asked.filter(({ path }) => path === '/api/user/confirm').map(({ body }) => body)).toEqual([
    { password: 'correct horse' },
    { password: 'correct horse', code: '000000' },
    { password: 'correct horse', code: '123456' },
  ]);
});
