/** What owners and editors do with a document as a whole: rename it, move it to the trash, restore it, delete it. */
import { useState } from 'preact/hooks';
import {
  type CommandRequest,
  deleteDocument,
  renameDocument,
  restoreDocument,
  trashDocument,
} from '../../../packages/client/src/operations';
import type { Document } from '../../../packages/client/src/schemas';
import { ConfirmDialog } from '../components/confirm-dialog';
import { TextField } from '../components/form-fields';
import { FormDialog } from '../identity/shared/form-dialog';
import { hasScope } from '../kernel/permissions';
import { navigate } from '../kernel/router';
import { useCommand } from '../kernel/use-command';
import { documentsPath } from './paths';
import { canEdit } from './roles';

interface Props {
  readonly documentId: string;
  readonly title: string;
  readonly status: Document['status'];
  readonly role: Document['role'] | null;
  readonly onDone: () => void;
}

type Action = 'rename' | 'trash' | 'restore' | 'delete';

const Rename = ({ documentId, title: before, onDone, close }: Props & { readonly close: () => void }) => {
  const [title, setTitle] = useState(before);
  return (
    <FormDialog
      title="Rename the document"
      act="Rename"
      success="The document was renamed."
      command={() => renameDocument({ documentId, body: { title: title.trim() } })}
      onDone={onDone}
      close={close}
    >
      <TextField label="Title" value={title} onType={setTitle} maxLength={200} isRequired />
    </FormDialog>
  );
};

interface Confirmed {
  readonly label: string;
  readonly question: string;
  readonly text: string;
  readonly success: string;
  readonly isDangerous: boolean;
  readonly command: (documentId: string) => CommandRequest<unknown>;
}

const confirmed: Readonly<Record<Exclude<Action, 'rename'>, Confirmed>> = {
  trash: {
    label: 'Move to trash',
    question: 'Move the document to the trash?',
    text: 'Everyone who has it open is disconnected, and only owners still see it. Owners can restore it at any time.',
    success: 'The document is in the trash.',
    isDangerous: true,
    command: (documentId) => trashDocument({ documentId }),
  },
  restore: {
    label: 'Restore',
    question: 'Restore the document?',
    text: 'Its members can open it again, with the roles that they had.',
    success: 'The document was restored.',
    isDangerous: false,
    command: (documentId) => restoreDocument({ documentId }),
  },
  delete: {
    label: 'Delete',
    question: 'Delete the document?',
    text: 'This cannot be undone: no one can open the document or its versions again.',
    success: 'The document was deleted.',
    isDangerous: true,
    command: (documentId) => deleteDocument({ documentId }),
  },
};

const actionsFor = ({ status, role }: Props): readonly Action[] => {
  if (!hasScope('documents:write')) return [];
  if (status === 'trashed') return role === 'owner' ? ['restore', 'delete'] : [];
  return [...(canEdit(role) ? ['rename' as const] : []), ...(role === 'owner' ? ['trash' as const] : [])];
};

export const DocumentActions = (props: Props) => {
  const [open, setOpen] = useState<Action>();
  const send = useCommand();
  const close = (): void => setOpen(undefined);
  const carryOut = async (action: Exclude<Action, 'rename'>) => {
    const answer = await send(confirmed[action].command(props.documentId));
    if (!answer.ok) return answer.problem;
    if (action === 'delete') navigate(documentsPath);
    else props.onDone();
    return undefined;
  };
  const dialog = open === undefined || open === 'rename' ? undefined : { ...confirmed[open], action: open };
  return (
    <>
      {actionsFor(props).map((action) => (
        <button
          key={action}
          type="button"
          class={action !== 'rename' && confirmed[action].isDangerous ? 'button danger' : 'button'}
          onClick={() => setOpen(action)}
        >
          {action === 'rename' ? 'Rename' : confirmed[action].label}
        </button>
      ))}
      {open === 'rename' && <Rename {...props} close={close} />}
      {dialog !== undefined && (
        <ConfirmDialog
          title={dialog.question}
          act={dialog.label}
          isDangerous={dialog.isDangerous}
          success={dialog.success}
          onAct={() => carryOut(dialog.action)}
          close={close}
        >
          <p>
            <strong>{props.title}</strong>. {dialog.text}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
};
