/** Asks before something that cannot be taken back; says so when it was refused. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../kernel/problem';
import { Dialog } from './dialog';
import { Failure } from './failure';

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
  /** On the button that does it. */
  readonly act: string;
  readonly isDangerous?: boolean;
  /** Answers what went wrong, if anything. */
  readonly onAct: () => Promise<Problem | undefined>;
  readonly close: () => void;
}

export const Confirm = ({ title, children, act, isDangerous = false, onAct, close }: Props) => {
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
      {problem !== undefined && <Failure problem={problem} />}
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
