/** Asks before something that cannot be taken back; says so when it was refused. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../kernel/problem';
import { Dialog } from './dialog';
import { TextField } from './form-fields';
import { ProblemMessage } from './problem-message';

interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** On the button that does it. */
  readonly act: string;
  readonly isDangerous?: boolean;
  /** Answers what went wrong, if anything. */
  readonly onAct: () => Promise<Problem | undefined>;
  readonly close: () => void;
}

export const ConfirmDialog = ({ title, children, act, isDangerous = false, onAct, close }: ConfirmProps) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const run = async (): Promise<void> => {
    setBusy(true);
    const refused = await onAct();
    setBusy(false);
    setProblem(refused);
    if (refused === undefined) close();
  };
  return (
    <Dialog title={title} close={close}>
      {children}
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          Cancel
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
  /** On the button that does it. */
  readonly act: string;
  readonly isDangerous?: boolean;
  /** Asked once more, in these words. */
  readonly again?: string;
  /** Answers what went wrong, if anything. */
  readonly onAct: (reason: string) => Promise<Problem | undefined>;
}

const maxReasonLength = 500;

const Buttons = ({ asked, isBusy, close }: { asked: ReasonRequest; isBusy: boolean; close: () => void }) => (
  <div class="actions">
    <button type="button" class="button" onClick={close}>
      Cancel
    </button>
    <button type="submit" class={asked.isDangerous === true ? 'button danger' : 'button primary'} disabled={isBusy}>
      {asked.act}
    </button>
  </div>
);

export const ReasonDialog = ({ asked, close }: { readonly asked: ReasonRequest; readonly close: () => void }) => {
  const [reason, setReason] = useState('');
  const [isAgain, setAgain] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    if (asked.again !== undefined && !isAgain) return setAgain(true);
    setBusy(true);
    const refused = await asked.onAct(reason.trim());
    setBusy(false);
    setProblem(refused);
    if (refused === undefined) close();
  };
  return (
    <Dialog title={asked.title} close={close}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <p>{asked.text}</p>
        <TextField
          label="Reason"
          help="It is recorded, for others to read."
          value={reason}
          onType={setReason}
          maxLength={maxReasonLength}
          isRequired
        />
        {isAgain && (
          <p class="notice warn" role="alert">
            {asked.again}
          </p>
        )}
        {problem !== undefined && <ProblemMessage problem={problem} />}
        <Buttons
          asked={isAgain ? { ...asked, act: `Yes, ${asked.act.toLowerCase()}` } : asked}
          isBusy={isBusy}
          close={close}
        />
      </form>
    </Dialog>
  );
};
