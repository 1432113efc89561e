import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { validationText } from '#web/platform/texts.ts';

/** Validates a form by its contract's schema, with messages in the reader's language. */
export function formResolver<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  const resolve = zodResolver<Input, unknown, Output>(schema);
  return async (values, context, options) => {
    const found = await resolve(values, context, options);
    translate(found.errors);
    return found;
  };
}

/** Translates each `message` in a form's tree of errors, whose other leaves are inputs and types. */
function translate(errors: object): void {
  for (const [name, value] of Object.entries(errors)) {
    if (name === 'ref') continue;
    if (name === 'message' && typeof value === 'string')
      Object.assign(errors, { message: validationText(value) });
    else if (typeof value === 'object' && value !== null) translate(value);
  }
}
