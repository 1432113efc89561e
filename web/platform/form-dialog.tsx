import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { letGo } from '#web/platform/hold-back.ts';
import { LeaveWarning } from '#web/platform/leave-warning.tsx';
import { t } from '#web/platform/texts.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** The functions by which a form reports to the dialog around it. */
interface FormFrame {
  setUnsaved: (unsaved: boolean, forget: () => void) => void;
  /** Closes, after asking if there is unsaved input. */
  close: () => void;
}
const FormFrameContext = createContext<FormFrame>({ setUnsaved: () => {}, close: () => {} });

interface FormDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  closeLabel?: string;
  children: ReactNode;
}

/** A dialog with a form: closing it asks before unsaved input is discarded. */
export function FormDialog(props: FormDialogProps) {
  const { open, onClose, title, description, closeLabel = t('common.close') } = props;
  const [isUnsaved, setUnsaved] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const forget = useRef(() => {});
  // A ref is current immediately; the state changes one render later.
  const unsaved = useRef(false);
  const close = () => (unsaved.current ? setAsking(true) : onClose());
  const frame = useRef<FormFrame>({
    setUnsaved: (next, forgetDraft) => {
      forget.current = forgetDraft;
      unsaved.current = next;
      setUnsaved(next);
    },
    close,
  });
  frame.current.close = close;
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={(next) => next || close()}
        title={title}
        {...(description ? { description } : {})}
        closeLabel={closeLabel}
        closesOutside={false}
      >
        <FormFrameContext value={frame.current}>{props.children}</FormFrameContext>
      </Dialog>
      <LeaveWarning isUnsaved={open && isUnsaved} onLeave={() => forget.current()} />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('forms.discard.title')}
        text={t('forms.discard.text')}
        cancelLabel={t('forms.discard.stay')}
        confirmLabel={t('forms.discard.discard')}
        onConfirm={() => {
          setAsking(false);
          forget.current();
          letGo();
          onClose();
        }}
      />
    </>
  );
}

/** Reports to the dialog around the form whether there is unsaved input, and how to delete its draft. */
export function useFormFrame(isUnsaved: boolean, forget: () => void): { close: () => void } {
  const frame = useContext(FormFrameContext);
  useEffect(() => frame.setUnsaved(isUnsaved, forget), [frame, isUnsaved, forget]);
  useEffect(() => () => frame.setUnsaved(false, () => {}), [frame]);
  return { close: () => frame.close() };
}
