import { openStorage } from '#web/storage/open-storage.ts';

/** Whether the server has allowed Stripe's form in this page: only where it was loaded as the billing page. */
export const mayShowCardForm = (): boolean =>
  document.querySelector('meta[name=card-form]') !== null;

const key = 'card-form-reloaded-at';
const againAfterMs = 60_000;

/**
 * Reloads the page, so that the server allows the form. A page that still does not allow it, such as a stored one, is
 * not reloaded again for a minute.
 * @returns whether it is reloaded
 */
export function reloadForCardForm(): boolean {
  const storage = openStorage(() => sessionStorage);
  if (Date.now() - Number(storage.getItem(key) ?? 0) < againAfterMs) return false;
  storage.setItem(key, String(Date.now()));
  location.reload();
  return true;
}
