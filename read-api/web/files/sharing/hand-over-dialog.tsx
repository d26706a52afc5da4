/** Dialog that makes another principal the owner of a file or folder. */
import { useState } from 'preact/hooks';
import { changeFileFolderOwner, changeFileOwner } from '../../../../packages/client/src/operations';
import { FormDialog } from '../../identity/shared/form-dialog';
import { PersonField, personIdOf, usePerson } from '../../references/person-field';
import type { SharedThing } from './share-dialog';

interface Props {
  readonly what: SharedThing;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const HandOverDialog = ({ what: { kind, id, name }, onDone, close }: Props) => {
  const [person, setPerson] = useState('');
  const search = usePerson(person, 'files');
  const ownerId = personIdOf(search);
  const body = { ownerId: ownerId ?? '' };
  return (
    <FormDialog<unknown>
      title={kind === 'file' ? 'Hand the file over' : 'Hand the folder over'}
      act="Hand over"
      isReady={ownerId !== undefined}
      success="It has another owner."
      command={() =>
        kind === 'file' ? changeFileOwner({ fileId: id, body }) : changeFileFolderOwner({ folderId: id, body })
      }
      onDone={onDone}
      close={close}
    >
      <p>
        <strong>{name}</strong> has one owner. You keep what you are granted, and see it no more otherwise.
      </p>
      <PersonField label="Name or id of the new owner" value={person} onType={setPerson} search={search} />
    </FormDialog>
  );
};
