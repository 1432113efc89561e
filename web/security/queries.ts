import '#web/platform/security-texts.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
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
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

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

const failures = () => ({ failed: t('security.twoFactor.failed'), isHandled: wantsConfirmation });

export const useStartTwoFactor = () =>
  useApiMutation(() => request(startTwoFactor, {}), failures());

export const useConfirmTwoFactor = () =>
  useMutation({
    mutationFn: (body: SentBodyOf<typeof confirmTwoFactor>) => request(confirmTwoFactor, { body }),
  });

export const useRemoveTwoFactor = () =>
  useApiMutation(() => request(removeTwoFactor, {}), {
    ...failures(),
    done: { title: t('security.twoFactor.removed') },
    refresh: (queryClient) => queryClient.invalidateQueries({ queryKey: twoFactor.queryKey }),
  });

export const useRenewRecoveryCodes = () =>
  useApiMutation(() => request(renewRecoveryCodes, {}), failures());

export const useConfirmSelf = () =>
  useMutation({
    mutationFn: (body: SentBodyOf<typeof confirmSelf>) => request(confirmSelf, { body }),
  });

export const useResendVerification = () =>
  useApiMutation(() => request(resendVerification, {}), {
    done: { title: t('security.verify.sent') },
    failed: t('security.verify.resendFailed'),
  });

const policy = reading(readSignInPolicy, {});
export const useSignInPolicy = () => useQuery({ ...policy, staleTime: 0 });

export const useUpdateSignInPolicy = () =>
  useApiMutation(
    (body: SentBodyOf<typeof updateSignInPolicy>) => request(updateSignInPolicy, { body }),
    {
      done: { title: t('security.policy.saved') },
      failed: t('security.policy.failed'),
      stores: policy.queryKey,
    },
  );
