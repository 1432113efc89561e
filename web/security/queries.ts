import '#web/platform/security-texts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { confirmSelf, resendVerification } from '#domain/auth/contract.ts';
import type { SentBodyOf } from '#domain/contract.ts';
import {
  confirmTwoFactor,
  readSignInPolicy,
  readTwoFactor,
  removeTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
  updateSignInPolicy,
} from '#domain/two-factor/contract.ts';
import { ApiError, request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

const twoFactor = reading(readTwoFactor, {});
export const useTwoFactor = () => useQuery({ ...twoFactor, staleTime: 0 });

/** The server requires re-authentication (use-confirmed.tsx). */
export const wantsConfirmation = (error: unknown) =>
  error instanceof ApiError && error.problem?.code === 'confirmation_needed';

/** It requires a code besides the password, and none was sent. */
export const wantsCode = (error: unknown) =>
  error instanceof ApiError && error.problem?.code === 'second_factor_needed';

export const isAboutCode = (error: unknown) =>
  error instanceof ApiError && error.problem?.errors?.[0]?.path === 'code';

const failed = (error: unknown) => {
  if (!wantsConfirmation(error))
    toastFailure(error, serverMessage(error, t('security.twoFactor.failed')));
};

export const useStartTwoFactor = () =>
  useMutation({ mutationFn: () => request(startTwoFactor, {}), onError: failed });

export const useConfirmTwoFactor = () =>
  useMutation({
    mutationFn: (body: SentBodyOf<typeof confirmTwoFactor>) => request(confirmTwoFactor, { body }),
  });

export function useRemoveTwoFactor() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => request(removeTwoFactor, {}),
    onSuccess: () => {
      toast({ title: t('security.twoFactor.removed') });
      return queryClient.invalidateQueries({ queryKey: twoFactor.queryKey });
    },
    onError: failed,
  });
}

export const useRenewRecoveryCodes = () =>
  useMutation({ mutationFn: () => request(renewRecoveryCodes, {}), onError: failed });

export const useConfirmSelf = () =>
  useMutation({
    mutationFn: (body: SentBodyOf<typeof confirmSelf>) => request(confirmSelf, { body }),
  });

export const useResendVerification = () =>
  useMutation({
    mutationFn: () => request(resendVerification, {}),
    onSuccess: () => toast({ title: t('security.verify.sent') }),
    onError: (error) =>
      toastFailure(error, serverMessage(error, t('security.verify.resendFailed'))),
  });

const policy = reading(readSignInPolicy, {});
export const useSignInPolicy = () => useQuery({ ...policy, staleTime: 0 });

export function useUpdateSignInPolicy() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof updateSignInPolicy>) =>
      request(updateSignInPolicy, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(policy.queryKey, saved);
      toast({ title: t('security.policy.saved') });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('security.policy.failed'))),
  });
}
