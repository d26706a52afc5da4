/** What administrators do with a file by its id, also where they do not see it: hold it against deletion, and read why a principal sees it or not. */
import { useState } from 'preact/hooks';
import { explainFileAccess, holdFile, releaseFile } from '../../../../packages/client/src/operations';
import type { FileAccessExplanation } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { TextField } from '../../components/form-fields';
import { FormDialog } from '../../identity/shared/form-dialog';
import { isMe, ownPrincipal } from '../../kernel/permissions';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { Person } from '../../references/person';
import { onePerson, PersonField, usePerson } from '../../references/person-field';
import { PrincipalName } from '../../references/reference';
import { shortId } from '../../references/short-id';
import { deletionPath, fileGroupPath, folderPath } from '../paths';

interface Props {
  readonly fileId: string;
  readonly onDone: () => void;
}

const HoldDialog = ({ fileId, onDone, close }: Props & { readonly close: () => void }) => {
  const [reason, setReason] = useState('');
  return (
    <FormDialog<unknown>
      title="Put the file under a legal hold?"
      act="Hold"
      success="The file is under a legal hold."
      isReady={reason.trim() !== ''}
      command={() => holdFile({ fileId, body: { reason: reason.trim() } })}
      onDone={onDone}
      close={close}
      fields={{ texts: { '/body/reason': 'Must be one line, without control characters.' } }}
    >
      {(faultAt) => (
        <>
          <p>Nobody can delete it for ever until the hold is lifted, and it stays in the trash beyond thirty days.</p>
          <TextField
            label="Reason"
            help="Required. Recorded in the log, below the key of the file. Its owner sees that there is a hold, not why."
            value={reason}
            onType={setReason}
            maxLength={500}
            isRequired
            fault={faultAt('/body/reason')}
          />
        </>
      )}
    </FormDialog>
  );
};

const ReleaseDialog = ({ fileId, onDone, close }: Props & { readonly close: () => void }) => {
  const send = useCommand();
  const release = async () => {
    const answer = await send(releaseFile({ fileId }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title="Lift the legal hold?"
      act="Lift the hold"
      isDangerous
      success="The legal hold was lifted."
      onAct={release}
      close={close}
    >
      <p>Its owner can delete the file for ever again. In the trash, its days begin again.</p>
    </ConfirmDialog>
  );
};

const LegalHold = ({ fileId, heldBy, onDone }: Props & Pick<FileAccessExplanation, 'heldBy'>) => {
  const [open, setOpen] = useState<'hold' | 'release'>();
  const close = (): void => setOpen(undefined);
  return (
    <section class="section" aria-label="Legal hold">
      <div class="section-head">
        <h2>Legal hold</h2>
        <button type="button" class="button small" onClick={() => setOpen(heldBy === null ? 'hold' : 'release')}>
          {heldBy === null ? 'Hold' : 'Lift the hold'}
        </button>
      </div>
      {heldBy === null ? (
        <p class="notice">None. Its owner can delete it for ever.</p>
      ) : (
        <p class="notice warn">
          Held by {isMe(heldBy) ? 'you' : <Person id={heldBy} />}. Nobody can delete it for ever.
        </p>
      )}
      {open === 'hold' && <HoldDialog fileId={fileId} onDone={onDone} close={close} />}
      {open === 'release' && <ReleaseDialog fileId={fileId} onDone={onDone} close={close} />}
    </section>
  );
};

const reasonTexts: { readonly [reason in FileAccessExplanation['reason']]: string } = {
  principal_unknown: 'There is no such principal.',
  principal_inactive: 'They are suspended or compromised, and see nothing.',
  owner: 'It is theirs.',
  granted: 'It is shared with them.',
  not_shared: 'Nothing shares it with them.',
  hidden: 'It is hidden from all:',
  folder_trashed: 'A folder above it is in the trash.',
  folder_unknown: 'A folder above it is not known.',
};

const hiddenTexts: { readonly [reason in FileAccessExplanation['hidden'][number]]: string } = {
  trashed: 'it is in the trash',
  deleted: 'it was deleted for ever',
  quarantined: 'it is infected',
};

const searchTexts: { readonly [reason in FileAccessExplanation['search']['reason']]: string } = {
  searchable: 'Searches find its passages.',
  searchable_by_words: 'Searches find its passages by their words only.',
  not_uploaded: 'Searches find nothing of it: its bytes are awaited.',
  upload_expired: 'Searches find nothing of it: it was not uploaded in time.',
  not_processed: 'Searches find nothing of it: it is not processed yet.',
  processing: 'Searches find nothing of it yet: it is being processed.',
  failed: 'Searches find nothing of it: its processing failed.',
};

const Path = ({ path }: { readonly path: FileAccessExplanation['paths'][number] }) => {
  const { resourceType, resourceId, by, groupId, role } = path;
  return (
    <li>
      {by === 'owner' ? 'Owner' : `As ${role === 'editor' ? 'an editor' : 'a viewer'}`}
      {by === 'tenant' && ', as everyone in the tenant'}
      {groupId !== null && (
        <>
          {' '}
          by the group <a href={fileGroupPath(groupId)}>{shortId(groupId)}</a>
        </>
      )}
      {resourceType === 'folder' && (
        <>
          {' '}
          of the folder <a href={folderPath(resourceId)}>{shortId(resourceId)}</a>
        </>
      )}
    </li>
  );
};

const Explained = ({ explanation }: { readonly explanation: FileAccessExplanation }) => {
  const { principalId, isVisible, reason, role, paths, hidden, search } = explanation;
  const whyHidden = reason === 'hidden' ? ` ${hidden.map((one) => hiddenTexts[one]).join(', ')}.` : '';
  return (
    <div role="status">
      <p class={isVisible ? 'notice' : 'notice warn'}>
        <PrincipalName id={principalId} /> {isVisible ? `sees the file as ${role}` : 'does not see the file'}.{' '}
        {reasonTexts[reason]}
        {whyHidden} {searchTexts[search.reason]}
      </p>
      {paths.length > 0 && (
        <ul class="reasons" aria-label="Ways to a role">
          {paths.map((path) => (
            <Path key={`${path.resourceId} ${path.grantId ?? ''}`} path={path} />
          ))}
        </ul>
      )}
    </div>
  );
};

const Explain = ({ fileId }: { readonly fileId: string }) => {
  const [typed, setTyped] = useState('');
  const search = usePerson(typed, 'files');
  const principalId = onePerson(search)?.principalId;
  const explanation = useResource(principalId === undefined ? undefined : explainFileAccess({ fileId, principalId }));
  return (
    <section class="section" aria-label="Why a person sees it">
      <h2>Why a person sees it, or not</h2>
      <PersonField label="Name or id" value={typed} onType={setTyped} search={search} isOptional />
      {principalId !== undefined && (
        <AsyncContent source={explanation} rows={2}>
          {(content) => !explanation.isOld && <Explained explanation={content} />}
        </AsyncContent>
      )}
    </section>
  );
};

export const FileAdministration = ({ fileId, onDone }: Props) => {
  // Hold and deletion are of the file, whatever principal is named.
  const explanation = useResource(explainFileAccess({ fileId, principalId: ownPrincipal() }));
  const changed = (): void => {
    explanation.reload();
    onDone();
  };
  if (explanation.content === undefined && explanation.problem?.status === 404) return null;
  return (
    <AsyncContent source={explanation} rows={2}>
      {({ heldBy, hidden }) =>
        hidden.includes('deleted') ? (
          <p class="notice">
            It was deleted for ever. <a href={deletionPath(fileId)}>What was removed of it</a>
          </p>
        ) : (
          <>
            <LegalHold fileId={fileId} heldBy={heldBy} onDone={changed} />
            <Explain fileId={fileId} />
          </>
        )
      }
    </AsyncContent>
  );
};
