import { type FormEvent, useRef } from 'react';

/**
 * Allows one submit at a time: a double click, or holding Enter, sends one request. `submit`
 * resolves when the answer has arrived.
 */
export function useSubmitOnce(submit: (event?: FormEvent) => Promise<unknown>) {
  const isBusy = useRef(false);
  return async (event?: FormEvent) => {
    event?.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await submit(event);
    } finally {
      isBusy.current = false;
    }
  };
}

/** For a failure that the mutation's own toast has reported: the form stays unchanged. */
export const saidByToast = (): void => {};
