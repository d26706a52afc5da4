/** Groups that files are shared with. */
import { useState } from 'preact/hooks';
import { createFileGroup, listFileGroups } from '../../../../packages/client/src/operations';
import type { FileGroup } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { countOf, numberOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import { navigate } from '../../kernel/router';
import { usePages } from '../../kernel/use-pages';
import { Person } from '../../references/person';
import { nameOf } from '../labels';
import { NameDialog } from '../library/name-dialog';
import { fileGroupPath, filesPath } from '../paths';

const columns: readonly Column<FileGroup>[] = [
  {
    title: 'Group',
    show: ({ groupId, name, isMember, memberCount }) => (
      <>
        <a href={fileGroupPath(groupId)} class="file-name">
          {nameOf(name)}
        </a>{' '}
        {isMember && <StatusBadge>you are a member</StatusBadge>}
        <div class="below narrow">{countOf(memberCount, 'member')}</div>
      </>
    ),
  },
  { title: 'Members', kind: 'number', isWide: true, show: ({ memberCount }) => numberOf(memberCount) },
  { title: 'Created by', isWide: true, show: ({ createdBy }) => <Person id={createdBy} /> },
];

export const GroupListPage = () => {
  const [isCreating, setCreating] = useState(false);
  const pages = usePages(listFileGroups({ limit: 50 }));
  return (
    <>
      <PageHeading
        title="Groups"
        lead="People that files and folders are shared with together."
        trail={[{ label: 'Files', path: filesPath }]}
      >
        {hasScope('files:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            Create a group
          </button>
        )}
      </PageHeading>
      <PagedTable
        pages={pages}
        label="Groups"
        one="group"
        columns={columns}
        keyOf={({ groupId }) => groupId}
        empty={
          <EmptyState title="No groups yet">
            Create a group, add its members, then share folders with it: who joins it later sees them, who leaves it no
            longer does.
          </EmptyState>
        }
      />
      {isCreating && (
        <NameDialog
          title="Create a group"
          act="Create"
          success="The group was created."
          command={(name) => createFileGroup({ body: { name } })}
          onDone={({ groupId }) => navigate(fileGroupPath(groupId))}
          close={() => setCreating(false)}
        />
      )}
    </>
  );
};
