/** What may be done with a file as a whole: rename it, move it, hand it over, move it to the trash, delete it for ever. */
import { useState } from 'preact/hooks';
import { deleteFile, renameFile, retryFile } from '../../../../packages/client/src/operations';
import type { FileItem } from '../../../../packages/client/src/schemas';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { navigate } from '../../kernel/router';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { nameOf } from '../labels';
import { MoveDialog } from '../library/move-dialog';
import { NameDialog } from '../library/name-dialog';
import { TrashDialog } from '../library/trash-dialog';
import { deletionPath, filesPath } from '../paths';
import { mayChange, mayDispose } from '../roles';
import { HandOverDialog } from '../sharing/hand-over-dialog';

interface DeleteProps {
  readonly fileId: string;
  readonly name: string;
  readonly isInTrash?: boolean;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const DeleteDialog = ({ fileId, name, isInTrash = false, onDone, close }: DeleteProps) => {
  const send = useCommand();
  const carryOut = async () => {
    const answer = await send(deleteFile({ fileId }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title="Delete the file for ever?"
      act="Delete for ever"
      isDangerous
      success="The file is being deleted."
      onAct={carryOut}
      close={close}
    >
      <p>
        <strong>{name}</strong>, with all of its versions and all that was read of them. Nobody can bring it back.
        {!isInTrash && ' To be able to restore it, move it to the trash instead.'}
      </p>
    </ConfirmDialog>
  );
};

type Action = 'rename' | 'move' | 'hand-over' | 'trash' | 'delete';

const labels: { readonly [action in Action]: string } = {
  rename: 'Rename',
  move: 'Move',
  'hand-over': 'Hand over',
  trash: 'Trash',
  delete: 'Delete',
};

const actionsFor = (role: FileItem['role']): readonly Action[] => [
  ...(mayChange(role) ? (['rename', 'move'] as const) : []),
  ...(mayDispose(role) ? (['hand-over'] as const) : []),
  ...(mayChange(role) ? (['trash'] as const) : []),
  ...(mayDispose(role) ? (['delete'] as const) : []),
];

interface Props {
  readonly file: FileItem;
  readonly onDone: () => void;
}

export const FileActions = ({ file: { fileId, filename, parentFolderId, role, errorCode }, onDone }: Props) => {
  const send = useCommand();
  const [open, setOpen] = useState<Action>();
  const close = (): void => setOpen(undefined);
  const leave = (): void => navigate(filesPath);
  const showDeletion = (): void => navigate(deletionPath(fileId));
  const name = nameOf(filename);
  const hasWrongEnding = errorCode === 'TYPE_MISMATCH';
  /** The name is what its content was held against. */
  const renamed = async (): Promise<void> => {
    const answer = hasWrongEnding ? await send(retryFile({ fileId, body: {} })) : undefined;
    if (answer?.ok === false) showToast(answer.problem.detail);
    onDone();
  };
  return (
    <>
      {actionsFor(role).map((action) => (
        <button
          key={action}
          type="button"
          class={action === 'trash' || action === 'delete' ? 'button danger' : 'button'}
          onClick={() => setOpen(action)}
        >
          {labels[action]}
        </button>
      ))}
      {open === 'rename' && (
        <NameDialog
          title="Rename the file"
          act="Rename"
          success={hasWrongEnding ? 'The file was renamed, and is tried again now.' : 'The file was renamed.'}
          name={filename ?? ''}
          maxLength={255}
          pointer="/body/filename"
          command={(wanted) => renameFile({ fileId, body: { filename: wanted } })}
          onDone={() => void renamed()}
          close={close}
        />
      )}
      {open === 'move' && (
        <MoveDialog what={{ kind: 'file', id: fileId, name, folderId: parentFolderId }} onDone={onDone} close={close} />
      )}
      {open === 'hand-over' && (
        <HandOverDialog what={{ kind: 'file', id: fileId, name }} onDone={leave} close={close} />
      )}
      {open === 'trash' && <TrashDialog kind="file" id={fileId} name={name} onDone={leave} close={close} />}
      {open === 'delete' && <DeleteDialog fileId={fileId} name={name} onDone={showDeletion} close={close} />}
    </>
  );
};
