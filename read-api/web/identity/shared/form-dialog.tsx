/** Form in a dialog: sends a command, shows errors, passes the result on. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommandRequest } from '../../../../packages/client/src/operations';
import { Dialog } from '../../components/dialog';
import { ProblemMessage } from '../../components/problem-message';
import { type FaultAt, type FieldFault, type FieldTexts, faultIn, fieldFaultsOf } from '../../kernel/field-faults';
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
  /** Fields that show what is wrong with them. */
  readonly fields?: FieldTexts;
  /** What is wrong with the fields before anything is sent; empty: nothing. */
  readonly check?: () => readonly FieldFault[];
  readonly children: ComponentChildren | ((faultAt: FaultAt) => ComponentChildren);
}

const noFields: FieldTexts = { texts: {} };

export function FormDialog<Content>({
  title,
  act,
  command,
  success,
  onDone,
  close,
  keepsOpen = false,
  isReady = true,
  fields = noFields,
  check = () => [],
  children,
}: Props<Content>) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [faults, setFaults] = useState<readonly FieldFault[]>([]);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [faults]);
  const send = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const wrong = check();
    setFaults(wrong);
    setProblem(undefined);
    if (wrong.length > 0) return;
    setBusy(true);
    const answer = await send(command());
    setBusy(false);
    const refused = answer.ok ? undefined : answer.problem;
    const ofFields = fieldFaultsOf(refused, fields);
    setFaults(ofFields);
    setProblem(ofFields.length > 0 ? undefined : refused);
    if (!answer.ok) return;
    if (!keepsOpen) close();
    if (success !== undefined) showToast(success);
    onDone(answer.content);
  };
  return (
    <Dialog title={title} close={close}>
      <form ref={form} class="form" onSubmit={(event) => void submit(event)}>
        {typeof children === 'function' ? children(faultIn(faults)) : children}
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
