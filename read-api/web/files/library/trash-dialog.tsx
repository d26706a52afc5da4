/** Confirms that a file or folder goes to the trash. */
import { trashFile, trashFileFolder } from '../../../../packages/client/src/operations';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { useCommand } from '../../kernel/use-command';

interface Props {
  readonly kind: 'file' | 'folder';
  readonly id: string;
  readonly name: string;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const TrashDialog = ({ kind, id, name, onDone, close }: Props) => {
  const send = useCommand();
  const carryOut = async () => {
    const command = kind === 'file' ? trashFile({ fileId: id }) : trashFileFolder({ folderId: id });
    const answer = await send<unknown>(command);
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title={kind === 'file' ? 'Move the file to the trash?' : 'Move the folder to the trash?'}
      act="Move to trash"
      isDangerous
      success={kind === 'file' ? 'The file is in the trash.' : 'The folder is in the trash.'}
      onAct={carryOut}
      close={close}
    >
      <p>
        <strong>{name}</strong>
        {kind === 'folder' && ' with everything in it'}. It is found by nobody until it is restored; what it is shared
        with stays.
      </p>
    </ConfirmDialog>
  );
};
