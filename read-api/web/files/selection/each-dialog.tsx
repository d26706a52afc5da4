/** Dialog that does one thing with each of several files and folders, after one confirmation, and names the refused ones. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommandRequest } from '../../../../packages/client/src/operations';
import { Dialog } from '../../components/dialog';
import { send, septet } from '../../kernel/api-client';
import { countOf } from '../../kernel/format';
import { showToast } from '../../kernel/toasts';

export interface EachItem {
  readonly id: string;
  readonly name: string;
  readonly command: CommandRequest<unknown>;
}

interface Refusal {
  readonly item: EachItem;
  readonly reason: string;
}

interface Props {
  readonly title: string;
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly items: readonly EachItem[];
  /** `moved`: for `3 files were moved.` */
  readonly done: string;
  /** What one is called. */
  readonly one: string;
  readonly isReady?: boolean;
  readonly children: ComponentChildren;
  /** Lists are to be loaded again: some may be done, also where others were refused. */
  readonly onDone: () => void;
  readonly close: () => void;
}

const Refused = ({ refusals }: { readonly refusals: readonly Refusal[] }) => (
  <div class="notice bad" role="alert">
    <h3>{countOf(refusals.length, 'was not done', 'were not done')}</h3>
    <ul class="refusals">
      {refusals.map(({ item, reason }) => (
        <li key={item.id}>
          <strong>{item.name}</strong>: {reason}
        </li>
      ))}
    </ul>
  </div>
);

export const EachDialog = (props: Props) => {
  const { title, act, isDangerous = false, items, done, one, isReady = true, children, onDone, close } = props;
  const [at, setAt] = useState<number>();
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  const left = refusals.length > 0 ? refusals.map(({ item }) => item) : items;
  const run = async (): Promise<void> => {
    const refused: Refusal[] = [];
    for (const [index, item] of left.entries()) {
      // A dialog that was closed goes on with none that it has not begun with.
      if (!isOpen.current) break;
      setAt(index);
      const answer = await send(item.command, septet.platform.uuid());
      if (!answer.ok) refused.push({ item, reason: answer.problem.detail });
    }
    onDone();
    if (!isOpen.current) return;
    setAt(undefined);
    setRefusals(refused);
    const count = left.length - refused.length;
    if (count > 0) showToast(`${countOf(count, one)} ${count === 1 ? 'was' : 'were'} ${done}.`);
    if (refused.length === 0) close();
  };
  const isBusy = at !== undefined;
  return (
    <Dialog title={title} close={close}>
      {refusals.length === 0 ? children : <Refused refusals={refusals} />}
      {isBusy && (
        <p role="status">
          <progress max={left.length} value={at} aria-label="Done so far" /> {at} of {left.length}
        </p>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          {isBusy ? 'Stop' : refusals.length > 0 ? 'Close' : 'Cancel'}
        </button>
        <button
          type="button"
          class={isDangerous ? 'button danger' : 'button primary'}
          disabled={isBusy || !isReady}
          onClick={() => void run()}
        >
          {refusals.length > 0 ? 'Try these again' : act}
        </button>
      </div>
    </Dialog>
  );
};
