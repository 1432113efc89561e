const key = 'contact-draft';

/** Keeps the input through a reload, a change of language, or a lost network. */
export function keepDraft(form: HTMLFormElement): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(new FormData(form))));
  } catch {
    // A browser without storage keeps the input in the fields only.
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // There was no draft.
  }
}

/** Restores the draft; a plan that the link named (`?plan=enterprise`) has priority. */
export function restoreDraft(form: HTMLFormElement): void {
  const plan = new URLSearchParams(location.search).get('plan');
  for (const [name, value] of Object.entries({
    ...readDraft(),
    ...(plan && { planInterest: plan }),
  })) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLSelectElement) {
      if ([...field.options].some((option) => option.value === value)) field.value = value;
    } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      field.value ||= value;
    }
  }
}

function readDraft(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}
