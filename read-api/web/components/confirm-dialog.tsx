/** Dialogs that confirm an irreversible action and report why it was refused. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../kernel/problem';
import { showToast } from '../kernel/toasts';
import { Dialog } from './dialog';
import { TextField } from './form-fields';
import { ProblemMessage } from './problem-message';

interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Label of the confirming button. */
  readonly act: string;
  /** Label of the button that leaves all as it is, where `Cancel` could mean either. */
  readonly keep?: string;
  readonly isDangerous?: boolean;
  /** The toast afterwards: `The job was discarded.` */
  readonly success: string;
  /** Resolves to the problem; undefined: done. */
  readonly onAct: () => Promise<Problem | undefined>;
  readonly close: () => void;
}

export const ConfirmDialog = ({
  title,
  children,
  act,
  keep = 'Cancel',
  isDangerous = false,
  success,
  onAct,
  close,
}: ConfirmProps) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const run = async (): Promise<void> => {
    setBusy(true);
    const refused = await onAct();
    setBusy(false);
    setProblem(refused);
    if (refused !== undefined) return;
    close();
    showToast(success);
  };
  return (
    <Dialog title={title} close={close}>
      {children}
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          {keep}
        </button>
        <button
          type="button"
          class={isDangerous ? 'button danger' : 'button primary'}
          disabled={isBusy}
          onClick={() => void run()}
        >
          {act}
        </button>
      </div>
    </Dialog>
  );
};

export interface ReasonRequest {
  readonly title: string;
  readonly text: ComponentChildren;
  /** Label of the confirming button. */
  readonly act: string;
  readonly isDangerous?: boolean;
  /** The toast afterwards: `The key was revoked.` */
  readonly success: string;
  /** Text of a second confirmation; undefined: one suffices. */
  readonly again?: string;
  /** Resolves to the problem; undefined: done. */
  readonly onAct: (reason: string) => Promise<Problem | undefined>;
}

const maxReasonLength = 500;

const Buttons = ({ request, isBusy, close }: { request: ReasonRequest; isBusy: boolean; close: () => void }) => (
  <div class="actions">
    <button type="button" class="button" onClick={close}>
      Cancel
    </button>
    <button type="submit" class={request.isDangerous === true ? 'button danger' : 'button primary'} disabled={isBusy}>
      {request.act}
    </button>
  </div>
);

export const ReasonDialog = ({ request, close }: { readonly request: ReasonRequest; readonly close: () => void }) => {
  const [reason, setReason] = useState('');
  const [isAgain, setAgain] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    if (request.again !== undefined && !isAgain) return setAgain(true);
    setBusy(true);
    const refused = await request.onAct(reason.trim());
    setBusy(false);
    setProblem(refused);
    if (refused !== undefined) return;
    close();
    showToast(request.success);
  };
  return (
    <Dialog title={request.title} close={close}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <p>{request.text}</p>
        <TextField
          label="Reason"
          help="Required. Recorded, and visible to other administrators."
          value={reason}
          onType={setReason}
          maxLength={maxReasonLength}
          isRequired
        />
        {isAgain && (
          <p class="notice warn" role="alert">
            {request.again}
          </p>
        )}
        {problem !== undefined && <ProblemMessage problem={problem} />}
        <Buttons
          request={isAgain ? { ...request, act: `Yes, ${request.act.toLowerCase()}` } : request}
          isBusy={isBusy}
          close={close}
        />
      </form>
    </Dialog>
  );
};
