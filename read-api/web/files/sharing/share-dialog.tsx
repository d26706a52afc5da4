/** Dialog that shares a file or folder with a person, a group, or everyone in the tenant. */
import { useState } from 'preact/hooks';
import { grantFile, grantFileFolder, listFileGroups } from '../../../../packages/client/src/operations';
import type { NewFileGrant } from '../../../../packages/client/src/schemas';
import { ChoiceField, type Option } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import { FormDialog } from '../../identity/shared/form-dialog';
import { ownTenant } from '../../kernel/permissions';
import { useResource } from '../../kernel/use-resource';
import { PersonField, personIdOf, usePerson } from '../../references/person-field';
import { nameOf } from '../labels';
import { fileGroupsPath } from '../paths';
import { roleOptions } from '../roles';

export interface SharedThing {
  readonly kind: 'file' | 'folder';
  readonly id: string;
  readonly name: string;
}

const kinds: readonly Option<NewFileGrant['principalType']>[] = [
  { value: 'user', label: 'A person' },
  { value: 'group', label: 'A group' },
  { value: 'tenant', label: 'Everyone in the tenant' },
];

const GroupField = ({ value, onChoose }: { readonly value: string; readonly onChoose: (id: string) => void }) => {
  const { content, problem } = useResource(listFileGroups({ limit: 200 }));
  if (problem !== undefined) return <ProblemMessage problem={problem} />;
  if (content?.items.length === 0)
    return (
      <p class="notice">
        There is no group yet. <a href={fileGroupsPath}>Create one</a> first.
      </p>
    );
  const options = (content?.items ?? []).map(({ groupId, name }) => ({
    value: groupId as string,
    label: nameOf(name),
  }));
  return (
    <ChoiceField
      label="Group"
      value={value}
      options={[{ value: '', label: content === undefined ? 'Loading…' : 'Choose a group' }, ...options]}
      onChoose={onChoose}
    />
  );
};

interface Props {
  readonly what: SharedThing;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const ShareDialog = ({ what: { kind, id, name }, onDone, close }: Props) => {
  const [principalType, setType] = useState<NewFileGrant['principalType']>('user');
  const [person, setPerson] = useState('');
  const [groupId, setGroupId] = useState('');
  const [role, setRole] = useState<NewFileGrant['role']>('viewer');
  const search = usePerson(principalType === 'user' ? person : '', 'files');
  const grantees: { readonly [type in NewFileGrant['principalType']]: string | undefined } = {
    user: personIdOf(search),
    group: groupId === '' ? undefined : groupId,
    tenant: ownTenant(),
  };
  const grantee = grantees[principalType];
  const body = { principalType, principalId: grantee ?? '', role };
  return (
    <FormDialog<unknown>
      title={kind === 'file' ? 'Share the file' : 'Share the folder'}
      act="Share"
      isReady={grantee !== undefined}
      success={kind === 'file' ? 'The file was shared.' : 'The folder was shared.'}
      command={() => (kind === 'file' ? grantFile({ fileId: id, body }) : grantFileFolder({ folderId: id, body }))}
      onDone={onDone}
      close={close}
    >
      <p>
        <strong>{name}</strong>
        {kind === 'folder' && ', with everything in it now and later'}
      </p>
      <ChoiceField label="With" value={principalType} options={kinds} onChoose={setType} />
      {principalType === 'user' && <PersonField label="Name or id" value={person} onType={setPerson} search={search} />}
      {principalType === 'group' && <GroupField value={groupId} onChoose={setGroupId} />}
      <ChoiceField label="Role" value={role} options={roleOptions} onChoose={setRole} />
    </FormDialog>
  );
};
