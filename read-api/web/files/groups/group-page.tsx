/** One group: its members; its creator and administrators add and remove them. */
import { useState } from 'preact/hooks';
import {
  addFileGroupMember,
  deleteFileGroup,
  getFileGroup,
  removeFileGroupMember,
  renameFileGroup,
} from '../../../../packages/client/src/operations';
import type { FileGroupMember, FileGroupWithMembers } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { PageHeading } from '../../components/page-heading';
import { type Column, Table } from '../../components/table';
import { RowButton } from '../../identity/shared/action-dialog';
import { DescriptionList } from '../../identity/shared/display';
import { FormDialog } from '../../identity/shared/form-dialog';
import { numberOf } from '../../kernel/format';
import { hasScope, isMe } from '../../kernel/permissions';
import { navigate } from '../../kernel/router';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { CopyableId } from '../../references/copyable-id';
import { Person } from '../../references/person';
import { PersonField, personIdOf, usePerson } from '../../references/person-field';
import type { PageProps } from '../../shell/section';
import { nameOf } from '../labels';
import { NameDialog } from '../library/name-dialog';
import { fileGroupsPath, filesPath } from '../paths';

interface DialogProps {
  readonly groupId: string;
  readonly onDone: () => void;
  readonly close: () => void;
}

const AddMember = ({ groupId, onDone, close }: DialogProps) => {
  const [person, setPerson] = useState('');
  const search = usePerson(person, 'files');
  const principalId = personIdOf(search);
  return (
    <FormDialog
      title="Add a member"
      act="Add"
      isReady={principalId !== undefined}
      success="The member was added."
      command={() => addFileGroupMember({ groupId, principalId: principalId ?? '' })}
      onDone={onDone}
      close={close}
    >
      <PersonField label="Name or id" value={person} onType={setPerson} search={search} />
    </FormDialog>
  );
};

type Question = { readonly kind: 'delete' } | { readonly kind: 'remove'; readonly member: FileGroupMember };

const Confirm = ({ groupId, question, onDone, close }: DialogProps & { readonly question: Question }) => {
  const send = useCommand();
  const command =
    question.kind === 'delete'
      ? deleteFileGroup({ groupId })
      : removeFileGroupMember({ groupId, principalId: question.member.principalId });
  const carryOut = async () => {
    const answer = await send(command);
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  const leaves = question.kind === 'remove' && isMe(question.member.principalId);
  const removal = leaves
    ? { title: 'Leave the group?', act: 'Leave', success: 'You left the group.' }
    : { title: 'Remove the member?', act: 'Remove', success: 'The member was removed.' };
  const texts =
    question.kind === 'delete'
      ? { title: 'Delete the group?', act: 'Delete', success: 'The group was deleted.' }
      : removal;
  return (
    <ConfirmDialog {...texts} isDangerous onAct={carryOut} close={close}>
      <p>
        {question.kind === 'delete'
          ? 'Its members lose at once what they see by it alone. Files and folders stay.'
          : 'What is seen by this group alone is gone at once, in searches and answers, too.'}
      </p>
    </ConfirmDialog>
  );
};

const Members = ({
  group,
  onQuestion,
}: {
  readonly group: FileGroupWithMembers;
  readonly onQuestion: (question: Question) => void;
}) => {
  const { members, isManaged } = group;
  if (members === null) return <p class="notice">Members are shown to members and to its creator.</p>;
  if (members.length === 0) return <p class="notice">No members yet.</p>;
  const columns: readonly Column<FileGroupMember>[] = [
    { title: 'Member', show: ({ principalId, name }) => <Person id={principalId} name={name} /> },
    {
      title: 'Actions',
      kind: 'tight',
      show: (member) => {
        const isOwn = isMe(member.principalId);
        if (!hasScope('files:write') || !(isManaged || isOwn)) return null;
        return (
          <RowButton
            label={isOwn ? 'Leave' : 'Remove'}
            what={isOwn ? 'the group' : (member.name ?? member.principalId)}
            isDangerous
            onPress={() => onQuestion({ kind: 'remove', member })}
          />
        );
      },
    },
  ];
  return <Table label="Members" rows={members} columns={columns} keyOf={({ principalId }) => principalId} />;
};

export const GroupPage = ({ params }: PageProps) => {
  const { groupId = '' } = params;
  const group = useResource(getFileGroup({ groupId }));
  const [open, setOpen] = useState<'rename' | 'add'>();
  const [question, setQuestion] = useState<Question>();
  const { content } = group;
  const name = nameOf(content?.name ?? null);
  const mayManage = content?.isManaged === true && hasScope('files:write');
  const close = (): void => setOpen(undefined);
  return (
    <>
      <PageHeading
        title={content === undefined ? 'Group' : name}
        trail={[
          { label: 'Files', path: filesPath },
          { label: 'Groups', path: fileGroupsPath },
        ]}
        lead={<CopyableId id={groupId} of={content === undefined ? 'the group' : name} />}
      >
        {mayManage && (
          <>
            <button type="button" class="button" onClick={() => setOpen('rename')}>
              Rename
            </button>
            <button type="button" class="button danger" onClick={() => setQuestion({ kind: 'delete' })}>
              Delete
            </button>
          </>
        )}
      </PageHeading>
      <AsyncContent source={group} rows={2}>
        {(found) => (
          <>
            <DescriptionList
              facts={[
                ['Members', numberOf(found.memberCount)],
                ['Created by', <Person key="by" id={found.createdBy} />],
              ]}
            />
            <section class="section">
              <div class="section-head">
                <h2>Members</h2>
                {mayManage && (
                  <button type="button" class="button small" onClick={() => setOpen('add')}>
                    Add a member
                  </button>
                )}
              </div>
              <Members group={found} onQuestion={setQuestion} />
            </section>
          </>
        )}
      </AsyncContent>
      {open === 'rename' && (
        <NameDialog
          title="Rename the group"
          act="Rename"
          success="The group was renamed."
          name={content?.name ?? ''}
          command={(wanted) => renameFileGroup({ groupId, body: { name: wanted } })}
          onDone={group.reload}
          close={close}
        />
      )}
      {open === 'add' && <AddMember groupId={groupId} onDone={group.reload} close={close} />}
      {question !== undefined && (
        <Confirm
          groupId={groupId}
          question={question}
          onDone={() => (question.kind === 'delete' ? navigate(fileGroupsPath) : group.reload())}
          close={() => setQuestion(undefined)}
        />
      )}
    </>
  );
};
