import { useMutation } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import { secondFactor } from '#domain/two-factor/contract.ts';
import { useSignedIn } from '#web/auth/queries.ts';
import { request } from '#web/platform/api.ts';

export const useSecondFactor = () =>
  useMutation({
    mutationFn: (body: SentBodyOf<typeof secondFactor>) => request(secondFactor, { body }),
    onSuccess: useSignedIn(),
  });
