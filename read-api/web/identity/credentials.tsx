/** Credentials of a principal, or secrets of a client: made, shown once, revoked. */
import { useState } from 'preact/hooks';
import { mayDo } from '../kernel/may';
import { usePages } from '../kernel/pages';
import { Listed } from '../parts/listed';
import type { Column } from '../parts/table';
import { Tag } from '../parts/tag';
import { Time } from '../parts/time';
import { type Action, RowButton, useActions } from './action';
import { type Held, type Holder, MakeCredential } from './make-credential';
import { type MadeSecret, SecretOnce } from './secret-once';
import { isOver, isSoonOver, Status } from './status';
import { Words } from './words';

const statusOf = ({ revokedAt }: Held): string => (revokedAt === null ? 'ACTIVE' : 'REVOKED');

const columnsOf = ({ hasScopes, word }: Holder): readonly Column<Held>[] => [
  {
    title: word,
    show: ({ credentialId, reason }) => (
      <>
        <span class="mono">{credentialId}</span>
        {reason !== null && <div class="below">{reason}</div>}
      </>
    ),
  },
  {
    title: 'Status',
    show: (held) => (
      <>
        <Status status={statusOf(held)} expiresAt={held.expiresAt} />
        {held.revokedAt === null && isSoonOver(held.expiresAt) && <Tag tone="warn">expires soon</Tag>}
      </>
    ),
  },
  ...(hasScopes
    ? [{ title: 'Scopes', isWide: true, show: ({ scopes = [] }: Held) => <Words words={scopes} most={3} /> }]
    : []),
  { title: 'Since', kind: 'tight', isWide: true, show: ({ createdAt }) => <Time at={createdAt} /> },
  { title: 'Until', kind: 'tight', isWide: true, show: (held) => <Time at={held.revokedAt ?? held.expiresAt} /> },
];

const acting = ({ revoke, word }: Holder, ask: (action: Action) => void): Column<Held> => ({
  title: 'Do',
  kind: 'tight',
  show: ({ credentialId, revokedAt, expiresAt }) =>
    revokedAt === null && !isOver(expiresAt) ? (
      <RowButton
        label="Revoke"
        what={`${word} ${credentialId}`}
        isDangerous
        onPress={() =>
          ask({
            title: `Revoke the ${word.toLowerCase()}?`,
            text: 'It gets no tokens from here on. Those that were issued live out their minutes.',
            act: 'Revoke it',
            isDangerous: true,
            command: (reason) => revoke(credentialId, reason),
          })
        }
      />
    ) : null,
});

export const CredentialsOf = ({ holder }: { readonly holder: Holder }) => {
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeSecret>();
  const pages = usePages(holder.list);
  const { ask, dialog } = useActions(pages.reload);
  const keep = (next: MadeSecret): void => {
    setMade(next);
    pages.reload();
  };
  const isChangeable = mayDo(holder.scope);
  const shown = columnsOf(holder);
  return (
    <section class="section">
      <div class="section-head">
        <h2>{holder.title}</h2>
        {isChangeable && holder.isOfAnother !== true && (
          <button type="button" class="button small" onClick={() => setMaking(true)}>
            New {holder.word.toLowerCase()}
          </button>
        )}
      </div>
      <Listed
        pages={pages}
        label={holder.title}
        one={holder.word.toLowerCase()}
        columns={isChangeable ? [...shown, acting(holder, ask)] : shown}
        keyOf={({ credentialId }) => credentialId}
        empty={<p class="notice">{holder.none}</p>}
        rows={1}
      />
      {dialog}
      {isMaking && <MakeCredential holder={holder} onMade={keep} close={() => setMaking(false)} />}
      {made !== undefined && <SecretOnce made={made} close={() => setMade(undefined)} />}
    </section>
  );
};
