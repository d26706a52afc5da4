/** One client: what it may do, and what it proves to be itself with. */
import {
  disableClient,
  enableClient,
  getClient,
  issueClientSecret,
  listClientSecrets,
  revokeClientSecret,
} from '../../../packages/client/src/operations';
import { mayDo } from '../kernel/may';
import { useResource } from '../kernel/resource';
import { withQuery } from '../kernel/router';
import { Copy } from '../parts/copy';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { Time } from '../parts/time';
import type { PageProps } from '../shell/section';
import { type Action, useActions } from './action';
import { authenticationNames, grantNames, hasSecret } from './client-words';
import { CredentialsOf } from './credentials';
import { type Fact, Facts } from './facts';
import type { Holder } from './make-credential';
import { clientPath, principalPath } from './paths';
import { Status } from './status';
import type { Client } from './wire';
import { Words } from './words';

const Lines = ({ lines, isProse = false }: { readonly lines: readonly string[]; readonly isProse?: boolean }) => (
  <>
    {lines.map((line) => (
      <div key={line} {...(isProse ? {} : { class: 'mono' })}>
        {line}
      </div>
    ))}
  </>
);

const rulesOf = ({ dpopBound, certificateBound, requirePushed, firstParty }: Client): readonly string[] => [
  ...(dpopBound ? ['bound to a key'] : []),
  ...(certificateBound ? ['bound to its certificate'] : []),
  ...(requirePushed ? ['pushes its requests'] : []),
  ...(firstParty ? ['ours'] : []),
];

const factsOf = (client: Client): readonly Fact[] => [
  ['Status', <Status key="status" status={client.status} />],
  [
    'Client id',
    <span key="id" class="mono">
      {client.clientId}
    </span>,
  ],
  ['Proves itself by', authenticationNames[client.authentication]],
  ['Gets tokens', <Lines key="ways" lines={client.grantTypes.map((grantType) => grantNames[grantType])} isProse />],
  ['Comes back to', <Lines key="uris" lines={client.redirectUris.length === 0 ? ['—'] : client.redirectUris} />],
  ['Scopes', <Words key="scopes" words={client.scopes} most={40} />],
  ['Audiences', <Words key="audiences" words={client.audiences} />],
  ['Rules', <Words key="rules" words={rulesOf(client)} />],
  ...(client.servicePrincipalId === null
    ? []
    : [
        [
          'Stands for',
          <a key="stands" class="mono" href={principalPath(client.servicePrincipalId)}>
            {client.servicePrincipalId}
          </a>,
        ] as const,
      ]),
  ['Since', <Time key="since" at={client.createdAt} />],
];

const holderOf = (applicationId: string): Holder => ({
  title: 'Secrets',
  list: listClientSecrets({ applicationId, limit: 20 }),
  issue: ({ scopes: _none, ...body }) => issueClientSecret({ applicationId, body }),
  revoke: (credentialId, reason) => revokeClientSecret({ applicationId, credentialId, body: { reason } }),
  scope: 'clients:write',
  word: 'Secret',
  none: 'None yet: without one it cannot prove to be itself.',
  hasScopes: false,
});

const disabling = (applicationId: string): Action => ({
  title: 'Disable the client?',
  text: 'It gets no tokens, nobody signs in with it, and tokens that it has are refused at once.',
  act: 'Disable',
  isDangerous: true,
  command: (reason) => disableClient({ applicationId, body: { reason } }),
});

const enabling = (applicationId: string): Action => ({
  title: 'Enable the client?',
  text: 'It may ask for tokens again.',
  act: 'Enable',
  command: (reason) => enableClient({ applicationId, body: { reason } }),
});

const Actions = ({ client, ask }: { readonly client: Client; readonly ask: (action: Action) => void }) => {
  const { applicationId, status, clientId } = client;
  const isActive = status === 'ACTIVE';
  return (
    <>
      <Copy text={clientId} label="Copy the id" />
      {mayDo('clients:write') && (
        <>
          <a class="button" href={`${clientPath(applicationId)}/change`}>
            Change
          </a>
          <button
            type="button"
            class={isActive ? 'button danger' : 'button'}
            onClick={() => ask(isActive ? disabling(applicationId) : enabling(applicationId))}
          >
            {isActive ? 'Disable' : 'Enable'}
          </button>
        </>
      )}
    </>
  );
};

const Known = ({ client }: { readonly client: Client }) => (
  <>
    <Facts facts={factsOf(client)} />
    {hasSecret(client) && <CredentialsOf holder={holderOf(client.applicationId)} />}
    {mayDo('grants:read') && (
      <p class="section">
        <a href={withQuery('/console/grants', { clientId: client.clientId })}>What people allowed it</a>
      </p>
    )}
  </>
);

export const ClientPage = ({ params }: PageProps) => {
  const { applicationId = '' } = params;
  const client = useResource(getClient({ applicationId }));
  const { ask, dialog } = useActions(client.reload);
  return (
    <>
      <Heading title={client.content?.name ?? applicationId} trail={[{ label: 'Clients', path: '/console/clients' }]}>
        {client.content !== undefined && <Actions client={client.content} ask={ask} />}
      </Heading>
      <Loaded source={client} rows={3}>
        {(found) => <Known client={found} />}
      </Loaded>
      {dialog}
    </>
  );
};
