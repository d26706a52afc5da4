/** Lists, rotates and revokes signing keys. */
import { useState } from 'preact/hooks';
import { listSigningKeys, revokeSigningKey, rotateSigningKeys } from '../../../packages/client/src/operations';
import { EmptyState } from '../components/empty-state';
import { ChoiceField, type Option } from '../components/form-fields';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { hasScope } from '../kernel/permissions';
import { usePages } from '../kernel/use-pages';
import { type ReasonedAction, RowButton, useActions } from './shared/action-dialog';
import { Status } from './shared/display';
import { FormDialog } from './shared/form-dialog';
import type { SigningAlgorithm, SigningKey } from './wire';

const lastOf = ({ createdAt, publishedAt, activatedAt, retiredAt, revokedAt }: SigningKey): string =>
  revokedAt ?? retiredAt ?? activatedAt ?? publishedAt ?? createdAt;

const purposeOf = ({ algorithm }: SigningKey): string => (algorithm === 'RS256' ? 'ID tokens' : 'access tokens');

const keyColumns: readonly Column<SigningKey>[] = [
  {
    title: 'Key',
    show: (key) => (
      <>
        <span class="mono">{key.kid}</span>
        <div class="below">
          {key.algorithm}, for {purposeOf(key)}. Key store: {key.keystore}
        </div>
        {key.reason !== null && <div class="below">{key.reason}</div>}
        <div class="below narrow">
          <Timestamp at={lastOf(key)} />
        </div>
      </>
    ),
  },
  { title: 'State', show: ({ state }) => <Status status={state} /> },
  { title: 'Changed', kind: 'tight', isWide: true, show: (key) => <Timestamp at={lastOf(key)} /> },
  { title: 'Created', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const revoking = ({ kid, state }: SigningKey): ReasonedAction => ({
  title: 'Revoke the key?',
  text: 'Every token that it signed is refused at once. If the key is active, a new one replaces it at once.',
  act: 'Revoke the key',
  success: 'The key was revoked.',
  isDangerous: true,
  again:
    state === 'ACTIVE'
      ? 'This key is active: every principal of every tenant has to get new tokens. This cannot be undone.'
      : 'This cannot be undone. Tokens that it signed are refused permanently.',
  command: (reason) => revokeSigningKey({ kid, body: { reason } }),
});

const acting = (openDialog: (action: ReasonedAction) => void): Column<SigningKey> => ({
  title: 'Actions',
  kind: 'tight',
  show: (key) =>
    key.state === 'REVOKED' ? null : (
      <RowButton label="Revoke" what={`key ${key.kid}`} isDangerous onPress={() => openDialog(revoking(key))} />
    ),
});

const algorithms: readonly Option<SigningAlgorithm | 'both'>[] = [
  { value: 'both', label: 'Access tokens and ID tokens' },
  { value: 'ES256', label: 'Access tokens (ES256)' },
  { value: 'EdDSA', label: 'Access tokens (EdDSA, Ed25519)' },
  { value: 'RS256', label: 'ID tokens (RS256)' },
];

const Rotate = ({ done, close }: { readonly done: () => void; readonly close: () => void }) => {
  const [algorithm, setAlgorithm] = useState<SigningAlgorithm | 'both'>('both');
  return (
    <FormDialog
      title="Rotate signing keys"
      act="Rotate"
      success="The keys were rotated. The new ones sign in about five minutes."
      command={() => rotateSigningKeys({ body: algorithm === 'both' ? {} : { algorithm } })}
      onDone={done}
      close={close}
    >
      <p>
        A new key is created and published now. It signs in about five minutes, once every verifier can know it. The
        previous key is accepted until its last token has expired.
      </p>
      <ChoiceField label="Keys for" value={algorithm} options={algorithms} onChoose={setAlgorithm} />
    </FormDialog>
  );
};

export const KeysPage = () => {
  const [isRotating, setRotating] = useState(false);
  const pages = usePages(listSigningKeys({ limit: 50 }));
  const { openDialog, dialog } = useActions(pages.reload);
  const isChangeable = hasScope('keys:write');
  return (
    <>
      <PageHeading
        title="Signing keys"
        lead="Keys that sign the tokens of all tenants. One is active for access tokens, and one for ID tokens."
      >
        {isChangeable && (
          <button type="button" class="button" onClick={() => setRotating(true)}>
            Rotate
          </button>
        )}
      </PageHeading>
      <PagedTable
        pages={pages}
        label="Signing keys"
        one="key"
        columns={isChangeable ? [...keyColumns, acting(openDialog)] : keyColumns}
        keyOf={({ kid }) => kid}
        empty={<EmptyState title="No key has been recorded">The first token request creates one.</EmptyState>}
        rows={2}
      />
      {dialog}
      {isRotating && <Rotate done={pages.reload} close={() => setRotating(false)} />}
    </>
  );
};
