import { QueryClientProvider } from '@tanstack/react-query';
import { configure, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import type { SignedInUser, User } from '#domain/auth/contract.ts';
import { accountId, orgId } from '#domain/ids.ts';
import { AuthProvider } from '#web/auth/auth-provider.tsx';
import { currentUserQuery } from '#web/auth/queries.ts';
import { newQueryClient } from '#web/platform/query-client.ts';
import { Toaster } from '#web/ui/toaster.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';

// A busy machine needs longer; an element that never appears still fails.
configure({ asyncUtilTimeout: 4000 });

export const someId = (last: number) => `01890000-0000-7000-8000-${String(last).padStart(12, '0')}`;

export const ada: SignedInUser = {
  id: accountId.parse(someId(1)),
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  profileImageUrl: null,
  language: null,
  mustVerifyEmail: false,
  mustSetUpTwoFactor: false,
  role: 'AGENT',
  orgId: orgId.parse(someId(2)),
};

/** A user; with a chosen language only if a test is about it. */
type Someone = User & Partial<SignedInUser>;

interface Showing {
  path?: string;
  /** Null for signed out; undefined asks the server. */
  user?: Someone | null;
}

/** Renders a part of the application as a page does, with a signed-in user. */
export function show(ui: ReactNode, { path = '/app', user = ada }: Showing = {}) {
  return showAsking(ui, path, user);
}

/** The same, but the page asks the server for the user first. */
export function showAsking(ui: ReactNode, path: string, user?: Someone | null) {
  const queryClient = newQueryClient();
  if (user !== undefined)
    queryClient.setQueryData(currentUserQuery.queryKey, user && { ...ada, ...user });
  const view = render(
    <QueryClientProvider client={queryClient}>
      <AuthProvider>
        <TooltipProvider>
          <MemoryRouter initialEntries={[path]}>
            {ui}
            <WhereAmI />
          </MemoryRouter>
          <Toaster label="Notifications" closeLabel="Dismiss" />
        </TooltipProvider>
      </AuthProvider>
    </QueryClientProvider>,
  );
  return { ...view, queryClient, by: userEvent.setup() };
}

/** Returns the look of the toast with this text: `default` or `destructive`. Throws if there is none. */
export function toastLook(text: string | RegExp): string | undefined {
  const [words] = within(screen.getByLabelText('Notifications')).getAllByText(text);
  return words?.closest('li')?.dataset.look;
}

function WhereAmI() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}
