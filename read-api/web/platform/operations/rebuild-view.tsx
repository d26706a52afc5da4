/** Has a view built again, once its name was typed; the page shows how far it is. */
import { useState } from 'preact/hooks';
import { rebuildView } from '../../../../packages/client/src/operations';
import { Dialog } from '../../components/dialog';
import { CheckField, TextField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import type { ViewRow } from '../api-types';

interface Props {
  readonly view: ViewRow;
  readonly begun: () => void;
  readonly close: () => void;
}

export const RebuildDialog = ({ view: { name }, begun, close }: Props) => {
  const [typed, setTyped] = useState('');
  const [acceptDifferences, setAccept] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const execute = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy || typed !== name) return;
    setBusy(true);
    const answer = await execute(rebuildView({ view: name, body: { acceptDifferences } }));
    setBusy(false);
    if (!answer.ok) return setProblem(answer.problem);
    showToast(`The rebuild of ${name} has started.`);
    begun();
    close();
  };
  return (
    <Dialog title={`Rebuild ${name}?`} close={close}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <p>
          Rebuilding reads the whole log again, which takes processor time. The live rows keep serving until the new
          ones have been compared with them.
        </p>
        <TextField
          label="Name of the view"
          help={
            <>
              Type <span class="mono">{name}</span> to confirm.
            </>
          }
          value={typed}
          onType={setTyped}
          maxLength={128}
          isRequired
        />
        <CheckField
          label="Switch even if rows differ"
          help="Otherwise the rebuild fails and the live rows stay."
          checked={acceptDifferences}
          onCheck={setAccept}
        />
        {problem !== undefined && <ProblemMessage problem={problem} />}
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button danger" disabled={isBusy || typed !== name}>
            Rebuild
          </button>
        </div>
      </form>
    </Dialog>
  );
};

interface ProgressProps {
  readonly view: ViewRow;
}

/** Estimated from positions, which grow about as evenly as the number of events. */
const fractionOf = ({ checkpoint, lastRebuild }: ViewRow): number | undefined => {
  const { position = null } = lastRebuild ?? {};
  if (position === null || checkpoint === null || checkpoint === '0') return undefined;
  return Math.min(1, Number(position) / Number(checkpoint));
};

export const RebuildProgress = ({ view }: ProgressProps) => {
  if (view.lastRebuild?.outcome !== 'running') return null;
  const fraction = fractionOf(view);
  const known = fraction === undefined ? {} : { value: fraction };
  return (
    <div class="below">
      <progress max={1} {...known} aria-label={`Rebuild of ${view.name}`} />
      {fraction === undefined ? 'Started' : `${Math.floor(fraction * 100)} %`}
    </div>
  );
};
