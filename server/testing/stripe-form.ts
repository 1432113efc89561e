import type { Form } from './stripe-state.ts';

/** Parses `a[b][0]=c`, in which Stripe's API takes its parameters. */
export function formOf(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    const last = path.pop() ?? name;
    let into = form;
    for (const part of path) {
      const inner = into[part];
      into = typeof inner === 'object' ? inner : put(into, part);
    }
    into[last || String(Object.keys(into).length)] = value;
  }
  return form;
}

function put(into: Form, part: string): Form {
  const inner: Form = {};
  into[part] = inner;
  return inner;
}

/** Returns the text at a path such as `items.0.price`. */
export function textAt(form: Form, path: string): string {
  let at: string | Form | undefined = form;
  for (const part of path.split('.')) at = typeof at === 'object' ? at[part] : undefined;
  return typeof at === 'string' ? at : '';
}
