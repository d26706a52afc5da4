/** Who sees a file or folder and why. Owners and editors grant roles and revoke them. */
import { useState } from 'preact/hooks';
import {
  getFileAccess,
  getFileFolderAccess,
  revokeFileFolderGrant,
  revokeFileGrant,
} from '../../../../packages/client/src/operations';
import type {
  FileAccess,
  FileAccessGrant,
  FileAccessOrigin,
  FileAccessReason,
} from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { type Column, Table } from '../../components/table';
import { RowButton } from '../../identity/shared/action-dialog';
import { hasScope, isMe } from '../../kernel/permissions';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { Person } from '../../references/person';
import { nameOf } from '../labels';
import { fileGroupPath, folderSharingPath } from '../paths';
import { mayChange } from '../roles';
import { ShareDialog, type SharedThing } from './share-dialog';

const From = ({ origin: { isInherited, id, name } }: { readonly origin: FileAccessOrigin }) => {
  if (!isInherited) return <>here</>;
  if (id === null) return <>a folder above that you may not read</>;
  return (
    <>
      the folder <a href={folderSharingPath(id)}>{nameOf(name)}</a>
    </>
  );
};

const granteeText = ({ principalType, name, principalId }: FileAccessGrant): string => {
  if (principalType === 'tenant') return 'everyone in the tenant';
  return principalType === 'group' ? nameOf(name) : (name ?? principalId);
};

const Grantee = ({ grant }: { readonly grant: FileAccessGrant }) => {
  const { principalType, principalId, name } = grant;
  if (principalType === 'tenant') return <>Everyone in the tenant</>;
  if (principalType === 'group')
    return (
      <>
        <a href={fileGroupPath(principalId)}>{nameOf(name)}</a> <span class="faint">group</span>
      </>
    );
  return <Person id={principalId} name={name} />;
};

const Why = ({ reason: { kind, role, groupId, groupName, from } }: { readonly reason: FileAccessReason }) => (
  <li>
    {kind === 'owner' ? 'Owner' : `As ${role === 'editor' ? 'an editor' : 'a viewer'}`}
    {groupId !== null && (
      <>
        {' '}
        by the group <a href={fileGroupPath(groupId)}>{nameOf(groupName)}</a>
      </>
    )}
    {from.isInherited && (
      <>
        {kind === 'owner' ? ' of ' : ' by '}
        <From origin={from} />
      </>
    )}
  </li>
);

const Reasons = ({ reasons }: { readonly reasons: readonly FileAccessReason[] }) => (
  <ul class="reasons">
    {reasons.map((reason, at) => (
      <Why key={at} reason={reason} />
    ))}
  </ul>
);

interface Viewer {
  readonly key: string;
  readonly id: string | undefined;
  readonly name: string | null;
  readonly role: string;
  readonly reasons: readonly FileAccessReason[];
}

const viewersOf = ({ principals, everyone }: FileAccess): readonly Viewer[] => [
  ...(everyone === null ? [] : [{ key: 'everyone', id: undefined, name: null, ...everyone }]),
  ...principals.map(({ principalId, ...one }) => ({ key: principalId, id: principalId as string, ...one })),
];

const viewerColumns: readonly Column<Viewer>[] = [
  {
    title: 'Who',
    show: ({ id, name }) => (id === undefined ? 'Everyone in the tenant' : <Person id={id} name={name} />),
  },
  { title: 'Role', show: ({ role }) => role },
  { title: 'Why', show: ({ reasons }) => <Reasons reasons={reasons} /> },
];

const grantColumns: readonly Column<FileAccessGrant>[] = [
  { title: 'With', show: (grant) => <Grantee grant={grant} /> },
  { title: 'Role', show: ({ role }) => role },
  { title: 'From', show: ({ from }) => <From origin={from} /> },
];

interface Props {
  readonly what: SharedThing;
  readonly onDone?: () => void;
}

export const Sharing = ({ what, onDone }: Props) => {
  const { kind, id } = what;
  const access = useResource(kind === 'file' ? getFileAccess({ fileId: id }) : getFileFolderAccess({ folderId: id }));
  const [isSharing, setSharing] = useState(false);
  const [revoked, setRevoked] = useState<FileAccessGrant>();
  const send = useCommand();
  const changed = (): void => {
    access.reload();
    onDone?.();
  };
  const revoke = async ({ grantId }: FileAccessGrant) => {
    const command =
      kind === 'file' ? revokeFileGrant({ fileId: id, grantId }) : revokeFileFolderGrant({ folderId: id, grantId });
    const answer = await send(command);
    if (!answer.ok) return answer.problem;
    changed();
    return undefined;
  };
  const role = access.content?.role;
  const mayShare = role !== undefined && mayChange(role);
  const isOwn = ({ principalType, principalId }: FileAccessGrant): boolean =>
    principalType === 'user' && isMe(principalId);
  const actions: Column<FileAccessGrant> = {
    title: 'Actions',
    kind: 'tight',
    show: (grant) => {
      if (grant.from.isInherited || !hasScope('files:write') || !(mayShare || isOwn(grant))) return null;
      return (
        <RowButton
          label={isOwn(grant) ? 'Leave' : 'Revoke'}
          what={`the grant of ${granteeText(grant)}`}
          isDangerous
          onPress={() => setRevoked(grant)}
        />
      );
    },
  };
  return (
    <>
      <section class="section">
        <div class="section-head">
          <h2>Sharing</h2>
          {mayShare && (
            <button type="button" class="button small" onClick={() => setSharing(true)}>
              Share
            </button>
          )}
        </div>
        <AsyncContent source={access} rows={2}>
          {({ grants }) =>
            grants.length === 0 ? (
              <p class="notice">Not shared.</p>
            ) : (
              <Table
                label="Sharing"
                rows={grants}
                columns={[...grantColumns, actions]}
                keyOf={({ grantId }) => grantId}
              />
            )
          }
        </AsyncContent>
      </section>
      <section class="section">
        <h2>Who sees it</h2>
        <AsyncContent source={access} rows={2}>
          {(content) => (
            <>
              <Table label="Who sees it" rows={viewersOf(content)} columns={viewerColumns} keyOf={({ key }) => key} />
              {!content.isComplete && <p class="help">More principals see it than are listed here.</p>}
            </>
          )}
        </AsyncContent>
      </section>
      {isSharing && <ShareDialog what={what} onDone={changed} close={() => setSharing(false)} />}
      {revoked !== undefined && (
        <ConfirmDialog
          title={isOwn(revoked) ? 'Leave it?' : 'Revoke the grant?'}
          act={isOwn(revoked) ? 'Leave' : 'Revoke'}
          isDangerous
          success="The grant was revoked."
          onAct={() => revoke(revoked)}
          close={() => setRevoked(undefined)}
        >
          <p>
            What <strong>{isOwn(revoked) ? 'you' : granteeText(revoked)}</strong> had by it alone is gone at once, in
            searches and answers, too.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
};
