/** Confirms an action with a reason, sends it once, and reloads. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CommandRequest } from '../../../../packages/client/src/operations';
import { ReasonDialog, type ReasonRequest } from '../../components/confirm-dialog';
import type { Problem } from '../../kernel/problem';
import { useCommand } from '../../kernel/use-command';

export interface ReasonedAction extends Omit<ReasonRequest, 'onAct'> {
  readonly command: (reason: string) => CommandRequest<unknown>;
}

interface ActionDialog {
  readonly openDialog: (action: ReasonedAction) => void;
  /** Rendered by the page. */
  readonly dialog: ComponentChildren;
}

export const useActions = (done: () => void): ActionDialog => {
  const [action, setAction] = useState<ReasonedAction>();
  const send = useCommand();
  const carryOut = async ({ command }: ReasonedAction, reason: string): Promise<Problem | undefined> => {
    const answer = await send(command(reason));
    if (!answer.ok) return answer.problem;
    done();
    return undefined;
  };
  const close = (): void => setAction(undefined);
  const dialog =
    action === undefined ? null : (
      <ReasonDialog request={{ ...action, onAct: (reason) => carryOut(action, reason) }} close={close} />
    );
  return { openDialog: setAction, dialog };
};

interface ButtonProps {
  readonly label: string;
  /** Object of the action, for screen readers. */
  readonly what: string;
  readonly isDangerous?: boolean;
  readonly onPress: () => void;
}

/** Button in a table row. */
export const RowButton = ({ label, what, isDangerous = false, onPress }: ButtonProps) => (
  <button type="button" class={isDangerous ? 'button small danger' : 'button small'} onClick={onPress}>
    {label}
    <span class="hidden-text"> {what}</span>
  </button>
);
