import { type FormEvent, useRef } from 'react';

/**
 * One submit at a time: a double click, or Enter held down, sends once. `submit` resolves when the
 * answer has come.
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

/** For a failure that the mutation's own toast has said: the form stays as it is. */
export const saidByToast = (): void => {};
