/** Dialogs that move files and folders into another folder: one, or several that are selected. */
import { useState } from 'preact/hooks';
import { moveFile, moveFileFolder } from '../../../../packages/client/src/operations';
import type { FileItem } from '../../../../packages/client/src/schemas';
import { ChoiceField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import { FormDialog } from '../../identity/shared/form-dialog';
import { countOf } from '../../kernel/format';
import { nameOf } from '../labels';
import { mayUploadInto } from '../roles';
import { EachDialog } from '../selection/each-dialog';
import { type FolderPlaces, useFolderPlaces } from './folders';

interface FolderChoiceProps extends FolderPlaces {
  readonly value: string;
  readonly onChoose: (folderId: string) => void;
  /** A folder cannot be moved into itself. */
  readonly moved?: string | undefined;
}

const FolderChoice = ({ places, problem, value, onChoose, moved }: FolderChoiceProps) => {
  const options = (places ?? [])
    .filter(({ folder, ids }) => mayUploadInto(folder.role) && !(moved !== undefined && ids.includes(moved)))
    .map(({ folder, label }) => ({ value: folder.folderId as string, label }));
  return (
    <>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <ChoiceField
        label="Folder"
        help="Folders that you may change."
        value={value}
        options={[{ value: '', label: 'In no folder' }, ...options]}
        onChoose={onChoose}
      />
    </>
  );
};

const consequence = 'Who sees it by the folder where it is now no longer does; who sees the new folder sees it there.';

interface Movable {
  readonly kind: 'file' | 'folder';
  readonly id: string;
  readonly name: string;
  readonly folderId: string | null;
}

interface Props {
  readonly what: Movable;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const MoveDialog = ({ what, onDone, close }: Props) => {
  const [chosen, setChosen] = useState(what.folderId ?? '');
  const places = useFolderPlaces();
  const target = chosen === '' ? null : chosen;
  return (
    <FormDialog<unknown>
      title={what.kind === 'file' ? 'Move the file' : 'Move the folder'}
      act="Move"
      isReady={places.places !== undefined && target !== what.folderId}
      success={what.kind === 'file' ? 'The file was moved.' : 'The folder was moved.'}
      command={() =>
        what.kind === 'file'
          ? moveFile({ fileId: what.id, body: { folderId: target } })
          : moveFileFolder({ folderId: what.id, body: { parentFolderId: target } })
      }
      onDone={onDone}
      close={close}
    >
      <p>
        <strong>{what.name}</strong>. {consequence}
      </p>
      <FolderChoice
        {...places}
        value={chosen}
        onChoose={setChosen}
        moved={what.kind === 'folder' ? what.id : undefined}
      />
    </FormDialog>
  );
};

interface MoveEachProps extends Omit<Props, 'what'> {
  readonly files: readonly FileItem[];
}

export const MoveEachDialog = ({ files, onDone, close }: MoveEachProps) => {
  const [chosen, setChosen] = useState('');
  const places = useFolderPlaces();
  const folderId = chosen === '' ? null : chosen;
  return (
    <EachDialog
      title={`Move ${countOf(files.length, 'file')}`}
      act="Move"
      done="moved"
      one="file"
      isReady={places.places !== undefined}
      items={files.map(({ fileId, filename }) => ({
        ...{ id: fileId, name: nameOf(filename) },
        command: moveFile({ fileId, body: { folderId } }),
      }))}
      onDone={onDone}
      close={close}
    >
      <p>{consequence}</p>
      <FolderChoice {...places} value={chosen} onChoose={setChosen} />
    </EachDialog>
  );
};
