/** What lists of credentials and secrets show of each, and how one is revoked. */
import type { ComponentChildren } from 'preact';
import type { CommandRequest } from '../../../../packages/client/src/operations';
import { NewTabLink } from '../../components/new-tab-link';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { countOf, exactTimeOf, relativeTimeOf } from '../../kernel/format';
import { renderTime } from '../../kernel/now';
import { hasScope } from '../../kernel/permissions';
import { withQuery } from '../../kernel/router';
import { Actor } from '../../references/reference';
import { revokeTokenPath } from '../fixed-paths';
import { type ReasonedAction, RowButton } from '../shared/action-dialog';
import { isOver, isSoonOver, Status, TagList } from '../shared/display';
import type { CredentialOwner, ListedCredential } from './make-credential';

const statusOf = ({ revokedAt }: ListedCredential): string => (revokedAt === null ? 'ACTIVE' : 'REVOKED');

/** The label, and the whole id: it is compared with what stands in a file. */
const CredentialName = ({ credential: { label, credentialId } }: { readonly credential: ListedCredential }) =>
  label === undefined || label === null ? (
    <span class="mono">{credentialId}</span>
  ) : (
    <>
      {label}
      <div class="below mono">{credentialId}</div>
    </>
  );

/** It is known to the minute, so in the minute of the creation it may seem to be before it. */
const LastUsed = ({ lastUsedAt, createdAt }: Pick<ListedCredential, 'lastUsedAt' | 'createdAt'>) =>
  lastUsedAt === null || lastUsedAt === undefined ? (
    <span>never</span>
  ) : (
    <Timestamp at={lastUsedAt < createdAt ? createdAt : lastUsedAt} />
  );

const nameColumn = (
  { isOfPrincipal, noun }: Pick<CredentialOwner, 'isOfPrincipal' | 'noun'>,
  whose: (credential: ListedCredential) => ComponentChildren,
): Column<ListedCredential> => ({
  title: noun,
  show: (credential) => (
    <>
      <CredentialName credential={credential} />
      {whose(credential)}
      {credential.reason !== null && <div class="below">{credential.reason}</div>}
      {isOfPrincipal && (
        <div class="below">
          Last used: <LastUsed {...credential} />
        </div>
      )}
    </>
  ),
});

/** Beyond it the number suffices; the event of the issuance has all. */
const maxListed = 2;

const scopeColumn: Column<ListedCredential> = {
  title: 'Scopes',
  isWide: true,
  show: ({ scopes = [] }) =>
    scopes.length > maxListed ? (
      <span title={scopes.join(', ')}>{countOf(scopes.length, 'scope')}</span>
    ) : (
      <TagList words={scopes} />
    ),
};

/** An end that has come is called by what it was. */
const Ends = ({ revokedAt, expiresAt }: Pick<ListedCredential, 'revokedAt' | 'expiresAt'>) => {
  if (revokedAt === null && expiresAt === null) return <>never expires</>;
  return (
    <>
      {revokedAt === null && (isOver(expiresAt) ? 'expired ' : 'expires ')}
      <Timestamp at={revokedAt ?? expiresAt} />
    </>
  );
};

const statusColumn: Column<ListedCredential> = {
  title: 'Status',
  show: (credential) => (
    <>
      <Status status={statusOf(credential)} expiresAt={credential.expiresAt} />
      {credential.revokedAt === null && isSoonOver(credential.expiresAt) && (
        <StatusBadge tone="warn">expires soon</StatusBadge>
      )}
      <div class="below">
        <Ends {...credential} />
      </div>
    </>
  ),
};

const createdColumn: Column<ListedCredential> = {
  title: 'Created',
  isWide: true,
  show: ({ createdAt, createdBy }) => (
    <>
      <Timestamp at={createdAt} />
      <div class="below">
        by <Actor actor={createdBy} />
      </div>
    </>
  ),
};

/** `whose`: below the name, in lists of several principals. */
export const credentialColumns = (
  owner: Pick<CredentialOwner, 'isOfPrincipal' | 'noun'>,
  whose: (credential: ListedCredential) => ComponentChildren = () => null,
): readonly Column<ListedCredential>[] => [
  nameColumn(owner, whose),
  statusColumn,
  ...(owner.isOfPrincipal ? [scopeColumn] : []),
  createdColumn,
];

interface RevokeButtonProps {
  readonly noun: string;
  readonly credential: ListedCredential;
  readonly onPress: () => void;
}

/** Absent where there is nothing left to revoke. */
export const RevokeButton = ({ noun, credential, onPress }: RevokeButtonProps) => {
  const { credentialId, label, revokedAt, expiresAt } = credential;
  if (revokedAt !== null || isOver(expiresAt)) return null;
  return <RowButton label="Revoke" what={`${noun} ${label ?? credentialId}`} isDangerous onPress={onPress} />;
};

interface Revocation {
  readonly noun: string;
  readonly credential: ListedCredential;
  readonly command: (reason: string) => CommandRequest<unknown>;
}

const useOf = ({ lastUsedAt }: ListedCredential): string => {
  if (lastUsedAt === undefined) return '';
  if (lastUsedAt === null) return ' It was never used.';
  return ` It last got a token ${relativeTimeOf(lastUsedAt, renderTime())} (${exactTimeOf(lastUsedAt)}).`;
};

const revokeTokenPathFor = (principalId: string | undefined): string =>
  withQuery(revokeTokenPath, { principalId: principalId ?? '' });

/** Names what it stops, so that the reader can distinguish the stolen one from the others. */
export const revoking = ({ noun, credential, command }: Revocation): ReasonedAction => {
  const { label, credentialId, principalId } = credential;
  const term = noun.toLowerCase();
  return {
    title: `Revoke the ${term}?`,
    text: (
      <>
        {label === null || label === undefined ? `The ${term} ` : `“${label}” `}
        <span class="mono">{credentialId}</span> gets no more tokens, and what uses it stops working.{useOf(credential)}{' '}
        Tokens that it already has stay valid until they expire, within minutes.
        {hasScope('tokens:revoke') && (
          <>
            {' '}
            If it was stolen, <NewTabLink href={revokeTokenPathFor(principalId)}>revoke those tokens</NewTabLink>, too.
          </>
        )}
      </>
    ),
    act: `Revoke ${term}`,
    success: `The ${term} was revoked.`,
    isDangerous: true,
    command,
  };
};
