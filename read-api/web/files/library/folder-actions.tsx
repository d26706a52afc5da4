/** What owners and editors do with a folder as a whole: rename it, move it, move it to the trash. */
import { useState } from 'preact/hooks';
import { renameFileFolder } from '../../../../packages/client/src/operations';
import type { FileFolder } from '../../../../packages/client/src/schemas';
import { RowButton } from '../../identity/shared/action-dialog';
import { nameOf } from '../labels';
import { folderSharingPath } from '../paths';
import { mayChange } from '../roles';
import { MoveDialog } from './move-dialog';
import { NameDialog } from './name-dialog';
import { TrashDialog } from './trash-dialog';

type Action = 'rename' | 'move' | 'trash';

interface Props {
  readonly folder: Pick<FileFolder, 'folderId' | 'name' | 'parentFolderId' | 'role'>;
  /** In a row of a table, where the buttons are small. */
  readonly isInRow?: boolean;
  readonly onDone: (action: Action) => void;
}

export const FolderActions = ({ folder: { folderId, name, parentFolderId, role }, isInRow = false, onDone }: Props) => {
  const [open, setOpen] = useState<Action>();
  const label = nameOf(name);
  const close = (): void => setOpen(undefined);
  const button = (action: Action, text: string, isDangerous = false) =>
    isInRow ? (
      <RowButton label={text} what={label} isDangerous={isDangerous} onPress={() => setOpen(action)} />
    ) : (
      <button type="button" class={isDangerous ? 'button danger' : 'button'} onClick={() => setOpen(action)}>
        {text}
      </button>
    );
  return (
    <>
      <a class={isInRow ? 'button small' : 'button'} href={folderSharingPath(folderId)}>
        Sharing{isInRow && <span class="hidden-text"> of {label}</span>}
      </a>
      {mayChange(role) && (
        <>
          {button('rename', 'Rename')}
          {button('move', 'Move')}
          {button('trash', 'Trash', true)}
        </>
      )}
      {open === 'rename' && (
        <NameDialog
          title="Rename the folder"
          act="Rename"
          success="The folder was renamed."
          name={name ?? ''}
          command={(wanted) => renameFileFolder({ folderId, body: { name: wanted } })}
          onDone={() => onDone('rename')}
          close={close}
        />
      )}
      {open === 'move' && (
        <MoveDialog
          what={{ kind: 'folder', id: folderId, name: label, folderId: parentFolderId }}
          onDone={() => onDone('move')}
          close={close}
        />
      )}
      {open === 'trash' && (
        <TrashDialog kind="folder" id={folderId} name={label} onDone={() => onDone('trash')} close={close} />
      )}
    </>
  );
};
