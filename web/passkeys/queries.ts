import '#web/platform/security-texts.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { browserName } from '#domain/auth/browser-name.ts';
import {
  addPasskey,
  listPasskeys,
  type PasskeyId,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
} from '#domain/passkeys/contract.ts';
import { useSignedIn } from '#web/auth/queries.ts';
import {
  choosePasskey,
  createPasskey,
  offerPasskeys,
  wasCancelled,
} from '#web/passkeys/browser.ts';
import { request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { wantsConfirmation } from '#web/security/queries.ts';

const own = reading(listPasskeys, {});
export const usePasskeys = () => useQuery({ ...own, staleTime: 0 });

/** Returns a recognizable name for a passkey of this device. */
function deviceName(): string {
  const { browser, system } = browserName(navigator.userAgent);
  return browser && system
    ? t('security.passkeys.ofDevice', { browser, system })
    : t('security.passkeys.fallbackName');
}

const useChange = <Input>(change: (input: Input) => Promise<unknown>, done: string) =>
  useApiMutation(change, {
    done: { title: done },
    failed: t('security.passkeys.failed'),
    isHandled: (error) => wasCancelled(error) || wantsConfirmation(error),
    refresh: (queryClient) => queryClient.invalidateQueries({ queryKey: own.queryKey }),
  });

export const useAddPasskey = () =>
  useChange(async (_: undefined) => {
    const { optionsJSON } = await request(startPasskey, {});
    const response = await createPasskey(optionsJSON);
    await request(addPasskey, { body: { name: deviceName(), response } });
  }, t('security.passkeys.added'));

export const useRenamePasskey = () =>
  useChange(
    ({ id, name }: { id: PasskeyId; name: string }) =>
      request(renamePasskey, { params: { id }, body: { name } }),
    t('security.passkeys.renamed'),
  );

export const useRemovePasskey = () =>
  useChange(
    (id: PasskeyId) => request(removePasskey, { params: { id } }),
    t('security.passkeys.removed'),
  );

/**
 * Signs in with a passkey. `quietly` offers it in the autofill of the email field, and resolves
 * without a user where there is none to offer.
 */
export function usePasskeySignIn() {
  const signedIn = useSignedIn();
  return useMutation({
    mutationFn: async ({ quietly }: { quietly: boolean }) => {
      const response = await (quietly ? offerPasskeys() : choosePasskey());
      return response && request(signInWithPasskey, { body: { response } });
    },
    onSuccess: (user) => user && signedIn(user),
    onError: (error) => {
      if (wasCancelled(error)) return;
      toastFailure(
        error,
        serverMessage(error, t('security.passkey.failed')),
        t('auth.loginFailed.title'),
      );
    },
  });
}
