import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { speakAs } from '#web/auth/account-language.ts';
import { currentUserQuery } from '#web/auth/queries.ts';
import { t } from '#web/platform/texts.ts';

export type AuthState =
  | { status: 'loading' }
  | { status: 'failed'; error: Error; retry: () => void }
  | { status: 'signed-out' }
  | { status: 'signed-in'; user: SignedInUser };

const AuthContext = createContext<AuthState | null>(null);

export function AuthProvider({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(currentUserQuery);
  useEffect(() => {
    if (data) speakAs(data);
  }, [data]);
  return <AuthContext value={stateOf(data, error, () => void refetch())}>{children}</AuthContext>;
}

function stateOf(
  user: SignedInUser | null | undefined,
  error: Error | null,
  retry: () => void,
): AuthState {
  if (user) return { status: 'signed-in', user };
  if (user === null) return { status: 'signed-out' };
  return error ? { status: 'failed', error, retry } : { status: 'loading' };
}

/** Throws outside an AuthProvider. */
export function useAuth(): AuthState {
  const state = useContext(AuthContext);
  if (state === null) throw new Error(t('auth.outsideProvider'));
  return state;
}

/** Returns the signed-in user, for components behind the guard. */
export function useUser(): SignedInUser {
  const state = useAuth();
  if (state.status !== 'signed-in') throw new Error('useUser must be used behind the guard');
  return state.user;
}
