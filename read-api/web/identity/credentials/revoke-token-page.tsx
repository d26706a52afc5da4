/** Revokes one token: pasted, by its id, or chosen from the active ones. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { listSecurityEvents, revokeTokens } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { TextField } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { countOf } from '../../kernel/format';
import { renderTime } from '../../kernel/now';
import { hasScope } from '../../kernel/permissions';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { CopyableId } from '../../references/copyable-id';
import { ListByName, NameFilterField } from '../../references/name-filter';
import { nameOfCredential } from '../../references/names';
import { Reference } from '../../references/reference';
import { shortId } from '../../references/short-id';
import { usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { credentialsPath, revokeTokenPath } from '../fixed-paths';
import { credentialPath } from '../paths';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import { DescriptionList, isOver, TagList } from '../shared/display';
import type { SecurityEvent } from '../wire';
import { type PresentedToken, presentedTokenIn, type ReadClaims } from './presented-token';

/** Whose it is, and until when; of a token id alone nothing is known. */
const ownerText = (sub: string | undefined): ComponentChildren =>
  sub !== undefined && (
    <>
      The token is of <Reference kind="principal" id={sub} isShort />.{' '}
    </>
  );

const accessToken = {
  title: 'Revoke the token?',
  text: 'Requests with this access token are refused within a second. Other tokens stay valid, and its owner can get new ones.',
  act: 'Revoke token',
  success: 'The token was revoked.',
  isDangerous: true,
} as const;

const withOwner = (sub: string | undefined): Pick<ReasonedAction, 'text'> => ({
  text: (
    <>
      {ownerText(sub)}
      {accessToken.text}
    </>
  ),
});

const revokingJti = (jti: string, expiresAt: string | undefined, sub?: string): ReasonedAction => ({
  ...accessToken,
  ...withOwner(sub),
  command: (reason) => revokeTokens({ body: { jti, reason, ...(expiresAt === undefined ? {} : { expiresAt }) } }),
});

const revokingAccess = (token: string, sub: string | undefined): ReasonedAction => ({
  ...accessToken,
  ...withOwner(sub),
  command: (reason) => revokeTokens({ body: { token, reason } }),
});

const revokingRefresh = (token: string): ReasonedAction => ({
  title: 'Revoke the refresh token?',
  text: 'Its grant ends: every refresh token and access token of that grant is refused within a second, and the application has to ask the person again.',
  act: 'Revoke refresh token',
  success: 'The refresh token and its grant were revoked.',
  isDangerous: true,
  command: (reason) => revokeTokens({ body: { token, reason } }),
});

const revokingOf = (presented: PresentedToken): ReasonedAction | undefined => {
  switch (presented.kind) {
    case 'none':
    case 'unknown':
      return undefined;
    case 'jti':
      return revokingJti(presented.jti, undefined);
    case 'refresh':
      return revokingRefresh(presented.token);
    case 'access':
      return revokingAccess(presented.token, presented.claims.sub);
  }
};

const ClaimList = ({ claims: { jti, sub, clientId, expiresAt } }: { readonly claims: ReadClaims }) => (
  <DescriptionList
    facts={[
      ...(sub === undefined ? [] : [['Principal', <Reference key="sub" kind="principal" id={sub} isShort />] as const]),
      ...(clientId === undefined || !clientId.includes('~')
        ? []
        : [['Client', <Reference key="client" kind="client" id={clientId} isShort />] as const]),
      ...(expiresAt === undefined
        ? []
        : [[isOver(expiresAt) ? 'Expired' : 'Expires', <Timestamp key="end" at={expiresAt} />] as const]),
      ...(jti === undefined ? [] : [['Token id (jti)', jti] as const]),
    ]}
  />
);

const unknownText = 'This is not an access token, a refresh token or a token id. Paste all of it.';

interface PasteProps {
  readonly openDialog: (action: ReasonedAction) => void;
}

const PastedToken = ({ openDialog }: PasteProps) => {
  const [text, setText] = useState('');
  const presented = presentedTokenIn(text);
  const action = revokingOf(presented);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (action !== undefined) openDialog(action);
  };
  return (
    <form class="form wide-form section" onSubmit={submit}>
      <TextField
        label="Token or token id"
        help="An access token, a refresh token, or the jti of an access token. It is sent to this installation only, and never recorded."
        value={text}
        onType={setText}
        maxLength={8_192}
        rows={4}
        fault={presented.kind === 'unknown' ? unknownText : undefined}
      />
      {presented.kind === 'access' && <ClaimList claims={presented.claims} />}
      <div class="actions">
        <button type="submit" class="button danger" disabled={action === undefined}>
          Revoke
        </button>
      </div>
    </form>
  );
};

/** The longest that an access token can be valid. */
const hourMilliseconds = 3_600_000;

interface IssuedToken {
  readonly jti: string;
  readonly expiresAt: string;
}

/** Undefined: the event does not name one. */
const issuedTokenOf = ({ details }: SecurityEvent): IssuedToken | undefined => {
  const { jti, expiresAt } = details;
  return typeof jti === 'string' && typeof expiresAt === 'string' ? { jti, expiresAt } : undefined;
};

const scopesOf = ({ details: { scopes } }: SecurityEvent): readonly string[] =>
  Array.isArray(scopes) ? scopes.map(String) : [];

/** Its label, or the beginning of its id. */
const CredentialName = ({ credentialId }: { readonly credentialId: string }) => (
  <>{nameOfCredential(credentialId).value?.name ?? shortId(credentialId)}</>
);

/** The credential or the application that got it. */
const Through = ({ event: { clientId, details } }: { readonly event: SecurityEvent }) => {
  const { credentialId } = details;
  if (typeof credentialId === 'string')
    return (
      <>
        with credential{' '}
        <a href={credentialPath(credentialId)} title={credentialId}>
          <CredentialName credentialId={credentialId} />
        </a>
      </>
    );
  return clientId === null ? null : (
    <>
      through <Reference kind="client" id={clientId} isShort />
    </>
  );
};

const columns: readonly Column<SecurityEvent>[] = [
  {
    title: 'Token',
    show: (event) => {
      const { principalId } = event;
      return (
        <>
          {principalId !== null && <Reference kind="principal" id={principalId} isShort />}
          <div class="below">
            <Through event={event} />
          </div>
          <div class="below">
            <CopyableId id={issuedTokenOf(event)?.jti ?? ''} of="the token" />
          </div>
        </>
      );
    },
  },
  { title: 'Scopes', isWide: true, show: (event) => <TagList words={scopesOf(event)} most={2} /> },
  { title: 'Issued', kind: 'tight', isWide: true, show: ({ timestamp }) => <Timestamp at={timestamp} /> },
  {
    title: 'Expires',
    kind: 'tight',
    show: (event) => <Timestamp at={issuedTokenOf(event)?.expiresAt ?? null} />,
  },
];

const actionColumn = (openDialog: (action: ReasonedAction) => void): Column<SecurityEvent> => ({
  title: 'Actions',
  kind: 'tight',
  show: (event) => {
    const token = issuedTokenOf(event);
    return token === undefined ? null : (
      <RowButton
        label="Revoke"
        what={`token ${token.jti}`}
        isDangerous
        onPress={() => openDialog(revokingJti(token.jti, token.expiresAt, event.principalId ?? undefined))}
      />
    );
  },
});

interface ActiveProps extends PasteProps {
  readonly query: URLSearchParams;
}

const revokedOf = (events: readonly SecurityEvent[] | undefined): ReadonlySet<unknown> =>
  new Set(events?.map(({ details }) => details.jti));

const ActiveTokens = ({ query, openDialog }: ActiveProps) => {
  const { applied, typed, type } = useFilterInput(revokeTokenPath, query, ['principalId']);
  const principal = usePrincipalFilter(applied.principalId);
  const [from] = useState(() => new Date(renderTime() - hourMilliseconds).toISOString());
  const [principalId] = principal.kind === 'found' ? principal.ids : [''];
  const isAmbiguous = principal.kind === 'found' && principal.ids.length > 1;
  const isReady = principal.kind === 'off' || (principal.kind === 'found' && !isAmbiguous);
  const issued = usePages(
    isReady
      ? listSecurityEvents(fromAddress({ type: 'TokenIssued', from, principalId: principalId ?? '', limit: 50 }))
      : undefined,
  );
  const denied = usePages(listSecurityEvents({ type: 'TokenDenied', from, limit: 100 }));
  const revoked = revokedOf(denied.items);
  const isActive = (event: SecurityEvent): boolean => {
    const token = issuedTokenOf(event);
    return token !== undefined && !isOver(token.expiresAt) && !revoked.has(token.jti);
  };
  const items = issued.items?.filter(isActive);
  return (
    <section class="section">
      <h2>Active tokens</h2>
      <p class="help">Access tokens that were issued in the last hour and have not expired.</p>
      <search class="filters">
        <NameFilterField
          label="Principal"
          by="Name, login or id"
          value={typed.principalId}
          onType={(value) => type('principalId', value)}
        />
      </search>
      {isAmbiguous ? (
        <EmptyState title={`${countOf(principal.ids.length, 'principal')} match`}>
          Type more of the name, or the login, until one is left.
        </EmptyState>
      ) : (
        <ListByName filters={[{ typed: applied.principalId, filter: principal, noun: 'principal' }]}>
          <PagedTable
            pages={{ ...issued, items }}
            label="Active tokens"
            one="token"
            columns={[...columns, actionColumn(openDialog)]}
            keyOf={({ eventId }) => eventId}
            empty={<p class="notice">No active token. Tokens are valid for minutes.</p>}
            rows={2}
          />
        </ListByName>
      )}
    </section>
  );
};

export const RevokeTokenPage = ({ query }: PageProps) => {
  const [version, setVersion] = useState(0);
  const { openDialog, dialog } = useActions(() => setVersion((count) => count + 1));
  return (
    <>
      <PageHeading
        title="Revoke a token"
        lead="Ends one token that was stolen or published. Revoke its credential, session or grant, too, or its owner gets new ones."
        trail={[{ label: 'Access', path: '/console/access' }]}
      />
      {!hasScope('tokens:revoke') ? (
        <p class="notice">Ask an administrator: you do not have the scope tokens:revoke.</p>
      ) : (
        <>
          <PastedToken key={version} openDialog={openDialog} />
          {hasScope('security:read') && (
            <ActiveTokens key={`active ${version}`} query={query} openDialog={openDialog} />
          )}
          <section class="section">
            <h2>More than one token</h2>
            <ul>
              <li>
                A credential, so that it gets no more tokens: under <a href={credentialsPath}>Credentials</a>. Tokens
                that it already has end within minutes, or are revoked here.
              </li>
              <li>
                What an application may do for a person: revoke the <a href="/console/grants">grant</a>, or end the{' '}
                <a href="/console/sessions">session</a>.
              </li>
              <li>
                All tokens of a person, pipeline or agent: “Revoke tokens” on the page of the{' '}
                <a href="/console/principals">principal</a>.
              </li>
            </ul>
          </section>
        </>
      )}
      {dialog}
    </>
  );
};
