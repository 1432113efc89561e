import { takeCarriedToast } from '#web/ui/toast-store.ts';
import { showToast } from './toast.ts';

/** Shows the message of the previous page: "Logged out", "Welcome back!". */
const region = document.getElementById('toast');
const carried = takeCarriedToast();
if (region && carried) showToast(region, carried);
