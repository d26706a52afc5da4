/** One client: permissions, credentials and metadata. */
import {
  disableClient,
  enableClient,
  getClient,
  issueClientSecret,
  listClientSecrets,
  revokeClientSecret,
} from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { BreakablePath } from '../../components/breakable-path';
import { CopyButton } from '../../components/copy-button';
import { PageHeading } from '../../components/page-heading';
import { Timestamp } from '../../components/timestamp';
import { hasScope, ownTenant } from '../../kernel/permissions';
import { withQuery } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import { streamPath } from '../../platform/paths';
import { Reference } from '../../references/reference';
import { streamOf } from '../../references/targets';
import { useBuiltInClients } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import { CredentialList } from '../credentials/credentials';
import type { CredentialOwner } from '../credentials/make-credential';
import { clientPath, refusedRequestsOf } from '../paths';
import { type ReasonedAction, useActions } from '../shared/action-dialog';
import { type DescriptionEntry, DescriptionList, Status, TagList } from '../shared/display';
import type { Client } from '../wire';
import { BuiltInClientPage } from './built-in-client';
import { authenticationNames, grantNames, hasSecret } from './client-labels';
import { ConnectionDetails } from './connection-details';
import { kindOf } from './snippets';

const Lines = ({ lines, isProse = false }: { readonly lines: readonly string[]; readonly isProse?: boolean }) => (
  <>
    {lines.map((line) => (
      <div key={line} {...(isProse ? {} : { class: 'mono' })}>
        {isProse ? line : <BreakablePath path={line} />}
      </div>
    ))}
  </>
);

const rulesOf = ({
  dpopBound,
  certificateBound,
  requirePushed,
  grantTypes,
  pkce,
  exactAuthentication,
  fapi,
  firstParty,
}: Client): readonly string[] => [
  ...(dpopBound ? ['DPoP-bound tokens'] : []),
  ...(certificateBound ? ['certificate-bound tokens'] : []),
  ...(requirePushed ? ['pushed authorization requests'] : []),
  ...(grantTypes.includes('authorization_code') ? [pkce === 'required' ? 'PKCE' : 'PKCE optional'] : []),
  ...(exactAuthentication ? ['one authentication method'] : []),
  ...(fapi ? ['FAPI 2.0'] : []),
  ...(firstParty ? ['first-party'] : []),
];

const Requirements = ({ client }: { readonly client: Client }) => {
  const rules = rulesOf(client);
  return rules.length === 0 ? <>None beyond its authentication</> : <TagList words={rules} />;
};

const idTokensOf = ({ idTokenAlgorithm, personClaimsInIdToken }: Client): readonly string[] => [
  idTokenAlgorithm ?? 'as access tokens',
  ...(personClaimsInIdToken ? ['name and e-mail address'] : []),
];

const factsOf = (client: Client): readonly DescriptionEntry[] => [
  ['Status', <Status key="status" status={client.status} />],
  [
    'Client id',
    <span key="id" class="mono">
      {client.clientId}
    </span>,
  ],
  ['Client authentication', authenticationNames[client.authentication]],
  ['Grant types', <Lines key="ways" lines={client.grantTypes.map((grantType) => grantNames[grantType])} isProse />],
  ['Redirect URIs', <Lines key="uris" lines={client.redirectUris.length === 0 ? ['—'] : client.redirectUris} />],
  ...(client.backchannelLogoutUri === null
    ? []
    : [['Back-channel logout URI', <Lines key="logout" lines={[client.backchannelLogoutUri]} />] as const]),
  ['Audiences', <TagList key="audiences" words={client.audiences} />],
  ['Security requirements', <Requirements key="rules" client={client} />],
  ...(client.scopes.includes('openid')
    ? [['ID tokens', <TagList key="id-tokens" words={idTokensOf(client)} />] as const]
    : []),
  ...(client.servicePrincipalId === null
    ? []
    : [['Acts as', <Reference key="stands" kind="principal" id={client.servicePrincipalId} />] as const]),
  ['Created', <Timestamp key="created" at={client.createdAt} />],
  ['Scopes', <TagList key="scopes" words={client.scopes} most={40} />],
];

const holderOf = (applicationId: string): CredentialOwner => ({
  title: 'Secrets',
  list: listClientSecrets({ applicationId, limit: 20 }),
  issue: ({ scopes: _none, ...body }) => issueClientSecret({ applicationId, body }),
  revoke: (credentialId, reason) => revokeClientSecret({ applicationId, credentialId, body: { reason } }),
  scope: 'clients:write',
  noun: 'Secret',
  none: 'No secrets. Create one: the client cannot authenticate without it.',
  isOfPrincipal: false,
});

const disabling = (applicationId: string): ReasonedAction => ({
  title: 'Disable the client?',
  text: 'It gets no more tokens, nobody can sign in with it, and the tokens it has are refused at once.',
  act: 'Disable',
  success: 'The client was disabled.',
  isDangerous: true,
  command: (reason) => disableClient({ applicationId, body: { reason } }),
});

const enabling = (applicationId: string): ReasonedAction => ({
  title: 'Enable the client?',
  text: 'It can request tokens again.',
  act: 'Enable',
  success: 'The client was enabled.',
  command: (reason) => enableClient({ applicationId, body: { reason } }),
});

const Actions = ({
  client,
  openDialog,
}: {
  readonly client: Client;
  readonly openDialog: (action: ReasonedAction) => void;
}) => {
  const { applicationId, status, clientId } = client;
  const isActive = status === 'ACTIVE';
  return (
    <>
      <CopyButton text={clientId} label="Copy the id" />
      {hasScope('clients:write') && (
        <>
          <a class="button" href={`${clientPath(applicationId)}/change`}>
            Change
          </a>
          <button
            type="button"
            class={isActive ? 'button danger' : 'button'}
            onClick={() => openDialog(isActive ? disabling(applicationId) : enabling(applicationId))}
          >
            {isActive ? 'Disable' : 'Enable'}
          </button>
        </>
      )}
    </>
  );
};

const ClientDetails = ({ client }: { readonly client: Client }) => (
  <>
    <DescriptionList facts={factsOf(client)} />
    <details class="section">
      <summary>Connect the application</summary>
      <ConnectionDetails client={client} kind={kindOf(client)} />
    </details>
    {hasSecret(client) && <CredentialList holder={holderOf(client.applicationId)} />}
    {hasScope('grants:read') && (
      <p class="section">
        <a href={withQuery('/console/grants', { clientId: client.clientId })}>Grants to this client</a>
      </p>
    )}
    {hasScope('security:read') && (
      <p>
        <a href={refusedRequestsOf({ clientId: client.clientId })}>Refused requests of this client</a>
      </p>
    )}
    {hasScope('platform:read') && (
      <p>
        <a href={streamPath(streamOf('identity', 'client', { tenantId: ownTenant(), id: client.applicationId }))}>
          Events of this client
        </a>
      </p>
    )}
  </>
);

export const ClientPage = ({ params }: PageProps) => {
  const { applicationId = '' } = params;
  const builtIn = useBuiltInClients();
  const found = builtIn?.find((one) => one.applicationId === applicationId);
  if (found !== undefined) return <BuiltInClientPage client={found} />;
  // Built-in clients are not recorded, so a request for one would be answered 404.
  return builtIn === undefined ? null : <RegisteredClientPage key={applicationId} applicationId={applicationId} />;
};

const RegisteredClientPage = ({ applicationId }: { readonly applicationId: string }) => {
  const client = useResource(getClient({ applicationId }));
  const { openDialog, dialog } = useActions(client.reload);
  return (
    <>
      <PageHeading title={client.content?.name ?? 'Client'} trail={[{ label: 'Clients', path: '/console/clients' }]}>
        {client.content !== undefined && <Actions client={client.content} openDialog={openDialog} />}
      </PageHeading>
      <AsyncContent source={client} rows={3}>
        {(found) => <ClientDetails client={found} />}
      </AsyncContent>
      {dialog}
    </>
  );
};
