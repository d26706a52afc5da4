/** Deletes for ever all that lies in the trash and is the reader’s to delete, also what the pages do not show yet. */
import { useEffect, useState } from 'preact/hooks';
import { listFileFolders, listFiles, nextPage, type PageRequest } from '../../../../packages/client/src/operations';
import { Dialog } from '../../components/dialog';
import { ProblemMessage } from '../../components/problem-message';
import { type Answer, read } from '../../kernel/api-client';
import { countOf } from '../../kernel/format';
import type { Problem } from '../../kernel/problem';
import { mayDispose } from '../roles';
import { EachDialog } from '../selection/each-dialog';
import { deletionOf, isFile, nounOf, type Trashed } from './trashed';

interface TrashedPage {
  readonly items: readonly Trashed[];
}

interface Loaded {
  readonly items: readonly Trashed[] | undefined;
  readonly problem: Problem | undefined;
}

const useAllTrashed = (): Loaded => {
  const [state, setState] = useState<Loaded>({ items: undefined, problem: undefined });
  useEffect(() => {
    const leaving = new AbortController();
    const allOf = async (first: PageRequest<TrashedPage>): Promise<readonly Trashed[] | Problem> => {
      const items: Trashed[] = [];
      let wanted: PageRequest<TrashedPage> | undefined = first;
      while (wanted !== undefined) {
        const answer: Answer<TrashedPage> = await read(wanted, leaving.signal);
        if (!answer.ok) return answer.problem;
        items.push(...answer.content.items);
        wanted = nextPage(wanted, answer.content);
      }
      return items;
    };
    const load = async (): Promise<void> => {
      const items: Trashed[] = [];
      // Folders first: a file in one goes with it.
      for (const first of [
        listFileFolders({ trashed: 'true', limit: 200 }) as PageRequest<TrashedPage>,
        listFiles({ trashed: 'true', limit: 200 }) as PageRequest<TrashedPage>,
      ]) {
        const all = await allOf(first);
        if ('title' in all) return setState({ items: undefined, problem: all });
        items.push(...all);
      }
      setState({ items: items.filter(({ role }) => mayDispose(role)), problem: undefined });
    };
    load().catch(() => undefined);
    return () => leaving.abort();
  }, []);
  return state;
};

export const EmptyTrashDialog = ({ onDone, close }: { readonly onDone: () => void; readonly close: () => void }) => {
  const { items, problem } = useAllTrashed();
  if (items === undefined)
    return (
      <Dialog title="Empty the trash?" close={close}>
        {problem === undefined ? <p role="status">Counting what is in it…</p> : <ProblemMessage problem={problem} />}
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
        </div>
      </Dialog>
    );
  const files = items.filter(isFile).length;
  const counts = [
    ...(items.length > files ? [countOf(items.length - files, 'folder')] : []),
    ...(files > 0 ? [countOf(files, 'file')] : []),
  ].join(' and ');
  return (
    <EachDialog
      title="Empty the trash?"
      act="Delete for ever"
      isDangerous
      done="deleted for ever"
      one={nounOf(items)}
      isReady={items.length > 0}
      items={items.map(deletionOf)}
      onDone={onDone}
      close={close}
    >
      {items.length === 0 ? (
        <p>Nothing in it is yours to delete. Owners delete what is theirs.</p>
      ) : (
        <p>
          <strong>{counts}</strong>
          {items.length > files && ', with all files in the folders,'} {items.length === 1 ? 'is' : 'are'} deleted for
          ever. Nobody can bring them back. What others own, and what is under a legal hold, stays.
        </p>
      )}
    </EachDialog>
  );
};
