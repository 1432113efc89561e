import { takeCarriedToast, toastDurationMs } from '#web/ui/toast-store.ts';

/** Shows the message of the previous page: "Logged out", "Welcome back!". */
const place = document.getElementById('toast');
const carried = takeCarriedToast();
if (place && carried) {
  const title = document.createElement('p');
  title.className = 'font-semibold';
  title.textContent = carried.title;
  const description = document.createElement('p');
  description.textContent = carried.description ?? '';
  place.replaceChildren(title, description);
  setTimeout(() => place.replaceChildren(), toastDurationMs);
}
