import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  useForm,
} from 'react-hook-form';
import { useUser } from '#web/auth/auth-provider.tsx';
import { ApiError } from '#web/platform/api.ts';
import { Draft } from '#web/platform/drafts.ts';
import { useFormFrame } from '#web/platform/form-dialog.tsx';
import { letGo } from '#web/platform/hold-back.ts';
import { validationText } from '#web/platform/texts.ts';
import { useSubmitOnce } from '#web/platform/use-submit-once.ts';

interface DraftFormOptions<Values extends FieldValues, Sent, Answer> {
  /** Identifies the form: `room:new`, `room:<id>`. */
  draft: string;
  resolver: Resolver<Values, unknown, Sent>;
  /** The form's initial values. */
  values: Values;
  /** Rejects with the failure, after showing it as a toast. */
  send: (values: Sent) => Promise<Answer>;
  /** Called after the input has been marked as saved. */
  onSent: (answer: Answer) => void;
}

/**
 * A form that loses no input: kept in this tab until it is sent or discarded, with a question
 * before it is closed or left, and sent once however often the button is clicked. `failure` is the
 * error of the last request; refusals that name a field are shown at that field.
 */
export function useDraftForm<Values extends FieldValues, Sent, Answer>(
  options: DraftFormOptions<Values, Sent, Answer>,
) {
  const { draft: name, resolver, values, send, onSent } = options;
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm<Values, unknown, Sent>({
    resolver,
    // The type of a form's defaults is its values with every field optional.
    defaultValues: values as DefaultValues<Values>,
  });
  const { draft, forget, isRestored, startOver } = useDraft(form, name, values);
  const { close } = useFormFrame(form.formState.isDirty, forget);

  const submit = useSubmitOnce(
    form.handleSubmit(async (sent) => {
      setFailure(null);
      try {
        const answer = await send(sent);
        form.reset(form.getValues());
        draft.forget();
        letGo();
        onSent(answer);
      } catch (error) {
        setFailure(error);
        // The server names fields of the body, which are the form's; other fields are not shown.
        for (const { path, message } of fieldErrors(error))
          form.setError(path as Path<Values>, { message: validationText(message) });
      }
    }),
  );
  /** For code that discards the input and navigates immediately. */
  const discard = () => {
    forget();
    letGo();
  };
  return { form, submit, failure, isRestored, startOver, close, discard };
}

const fieldErrors = (error: unknown) =>
  (error instanceof ApiError ? (error.problem?.errors ?? []) : []).filter(({ path }) => path);

function useDraft<Values extends FieldValues, Sent>(
  form: ReturnType<typeof useForm<Values, unknown, Sent>>,
  name: string,
  empty: Values,
) {
  const { id } = useUser();
  const [draft] = useState(() => new Draft(id, name));
  const [kept, setKept] = useState(() => draft.read(empty));
  const isForgotten = useRef(false);
  const { isDirty } = form.formState;
  const typed = form.watch();
  useEffect(() => {
    if (kept) form.reset(kept, { keepDefaultValues: true });
  }, [form, kept]);
  useEffect(() => {
    if (isDirty && !isForgotten.current) draft.keep(typed);
    else draft.forget();
  }, [draft, isDirty, typed]);
  const forget = useCallback(() => {
    isForgotten.current = true;
    draft.forget();
  }, [draft]);
  const startOver = () => {
    setKept(null);
    form.reset(empty);
  };
  return { draft, forget, isRestored: kept !== null && isDirty, startOver };
}
