/** Whether the server has allowed Stripe's form in this page: only where it was loaded as the billing page. */
export const mayShowCardForm = (): boolean =>
  document.querySelector('meta[name=card-form]') !== null;
