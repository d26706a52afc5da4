/** Form in a dialog: sends a command, shows errors, passes the result on. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CommandRequest } from '../../../../packages/client/src/operations';
import { Dialog } from '../../components/dialog';
import { ProblemMessage } from '../../components/problem-message';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';

interface Props<Content> {
  readonly title: string;
  readonly act: string;
  readonly command: () => CommandRequest<Content>;
  /** The toast afterwards; undefined: the result is shown otherwise. */
  readonly success?: string;
  readonly onDone: (content: Content) => void;
  readonly close: () => void;
  /** Stays open after success, to show the result. */
  readonly keepsOpen?: boolean;
  /** Undefined: validation of the fields suffices. */
  readonly isReady?: boolean;
  readonly children: ComponentChildren;
}

export function FormDialog<Content>({
  title,
  act,
  command,
  success,
  onDone,
  close,
  keepsOpen = false,
  isReady = true,
  children,
}: Props<Content>) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const answer = await send(command());
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    if (!keepsOpen) close();
    if (success !== undefined) showToast(success);
    onDone(answer.content);
  };
  return (
    <Dialog title={title} close={close}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        {children}
        {problem !== undefined && <ProblemMessage problem={problem} />}
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={isBusy || !isReady}>
            {act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
