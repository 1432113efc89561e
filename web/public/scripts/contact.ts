import { clearDraft, keepDraft, restoreDraft } from './contact-draft.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const form = document.querySelector<HTMLFormElement>('#contact-form');
if (form) serve(form);

function serve(form: HTMLFormElement): void {
  // Rapport's messages instead of the browser's.
  form.noValidate = true;
  restoreDraft(form);
  form.addEventListener('input', ({ target }) => {
    keepDraft(form);
    if (isField(target) && target.ariaInvalid === 'true') check(target);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
}

const isField = (target: unknown): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement;

const fieldsOf = (form: HTMLFormElement): Field[] => [...form.elements].filter(isField);

async function submit(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  if (!button || button.disabled) return;
  const wrong = fieldsOf(form).filter((field) => !check(field));
  if (wrong.length > 0) return wrong[0]?.focus();
  const values = Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value.trim()]));
  const label = button.textContent;
  button.disabled = true;
  button.textContent = form.dataset.sending ?? label;
  say('contact-failure', '');
  say('contact-thanks', '');
  const sent = await send(form, values);
  button.disabled = false;
  button.textContent = label;
  if (sent) thank(form, values);
}

/** Returns whether the field is valid, and shows an error beside it otherwise. */
function check(field: Field): boolean {
  const value = field.value.trim();
  const { rule, missing } = field.dataset;
  const wrong = (field.required && value === '') || (rule && !new RegExp(rule).test(value));
  explain(field, wrong ? (missing ?? '') : '');
  return !wrong;
}

function explain(field: Field, text: string): void {
  field.ariaInvalid = text ? 'true' : null;
  say(`${field.name}-error`, text);
}

function say(id: string, text: string | undefined): void {
  const place = document.getElementById(id);
  if (place) place.textContent = text ?? '';
}

/**
 * Sends the message to the operator if there is an inbox (`data-send`); otherwise it stays in the
 * browser.
 * @returns whether the form is done
 */
async function send(form: HTMLFormElement, values: Record<string, string>): Promise<boolean> {
  const { send: address, offline, refused } = form.dataset;
  if (!address) return true;
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    });
    if (answer.ok) return true;
    say('contact-failure', await refusal(form, answer).catch(() => refused));
  } catch {
    say('contact-failure', offline);
  }
  return false;
}

/** Shows the server's errors at their fields. @returns the message for the form */
async function refusal(form: HTMLFormElement, answer: Response): Promise<string | undefined> {
  const { message, errors = [] } = await answer.json();
  for (const { path, message: text } of errors) {
    const field = fieldsOf(form).find(({ name }) => name === path);
    if (field) explain(field, field.dataset.missing ?? text);
  }
  return answer.status < 500 && typeof message === 'string' ? message : form.dataset.refused;
}

function thank(form: HTMLFormElement, values: Record<string, string>): void {
  const { website: _, ...shown } = values;
  console.log('Contact form', shown);
  clearDraft();
  form.reset();
  say('contact-thanks', form.dataset.thanks);
  // After the page has rendered it.
  setTimeout(() => alert(form.dataset.thanks), 0);
}
