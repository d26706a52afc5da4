/** One principal: who it is, what it may do, what it signs in with, and where it is signed in. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  getPrincipal,
  getPrincipalHistory,
  issueCredential,
  listCredentials,
  listPrincipalGrants,
  listPrincipalSessions,
  revokeCredential,
} from '../../../packages/client/src/operations';
import { isMe, mayDo } from '../kernel/may';
import { usePages } from '../kernel/pages';
import { useResource } from '../kernel/resource';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { Time } from '../parts/time';
import type { PageProps } from '../shell/section';
import { useActions } from './action';
import { AuthenticatorsOf } from './authenticators';
import { AuthorityOf } from './authority';
import { CredentialsOf } from './credentials';
import { Facts } from './facts';
import { GrantTable } from './grants';
import { History } from './history';
import type { Holder } from './make-credential';
import { NewLink } from './new-link';
import { PrincipalActions } from './principal-actions';
import { typeNames } from './register';
import { SessionTable } from './sessions';
import { Status } from './status';
import type { Principal } from './wire';
import { Words } from './words';

const isPerson = ({ principalType }: Pick<Principal, 'principalType'>): boolean => principalType === 'HUMAN';

const holderOf = ({ principalId, ...principal }: Principal): Holder => {
  return {
    title: 'Credentials',
    list: listCredentials({ principalId, limit: 20 }),
    issue: (body) => issueCredential({ principalId, body }),
    revoke: (credentialId, reason) => revokeCredential({ principalId, credentialId, body: { reason } }),
    scope: 'credentials:write',
    isOfAnother: isPerson(principal) && !isMe(principalId),
    word: 'Credential',
    none: 'None: it cannot ask for tokens with a secret of its own.',
    hasScopes: true,
  };
};

const Sessions = ({ principalId }: { readonly principalId: string }) => {
  const pages = usePages(listPrincipalSessions({ principalId, limit: 10 }));
  return (
    <section class="section">
      <h2>Sessions</h2>
      <SessionTable pages={pages} isOfOne />
    </section>
  );
};

const Grants = ({ principalId }: { readonly principalId: string }) => {
  const pages = usePages(listPrincipalGrants({ principalId, limit: 10 }));
  return (
    <section class="section">
      <h2>Grants</h2>
      <GrantTable pages={pages} isOfOne />
    </section>
  );
};

const Known = ({ principal, children }: { readonly principal: Principal; readonly children: ComponentChildren }) => (
  <>
    <Facts
      facts={[
        ['Type', typeNames[principal.principalType]],
        ['Status', <Status key="status" status={principal.status} />],
        ...(isPerson(principal) ? [['Roles', <Words key="roles" words={principal.roles} />] as const] : []),
        ['Security epoch', principal.securityEpoch],
        ['Tenant', principal.tenantId],
        ['Since', <Time key="since" at={principal.createdAt} />],
      ]}
    />
    {children}
  </>
);

export const PrincipalPage = ({ params }: PageProps) => {
  const { principalId = '' } = params;
  const principal = useResource(getPrincipal({ principalId }));
  const history = usePages(getPrincipalHistory({ principalId, limit: 20 }));
  const changed = (): void => {
    principal.reload();
    history.reload();
  };
  const { ask, dialog } = useActions(changed);
  const [isLinking, setLinking] = useState(false);
  const known = principal.content;
  return (
    <>
      <Heading title={principalId} trail={[{ label: 'Principals', path: '/console/principals' }]}>
        {known !== undefined && <PrincipalActions principal={known} ask={ask} link={() => setLinking(true)} />}
      </Heading>
      <Loaded source={principal} rows={3}>
        {(found) => (
          <Known principal={found}>
            <AuthorityOf principalId={principalId} isPerson={isPerson(found)} done={changed} />
            <CredentialsOf holder={holderOf(found)} />
            {isPerson(found) && <AuthenticatorsOf principalId={principalId} />}
            {mayDo('sessions:read') && isPerson(found) && <Sessions principalId={principalId} />}
            {mayDo('grants:read') && isPerson(found) && <Grants principalId={principalId} />}
            <History pages={history} />
          </Known>
        )}
      </Loaded>
      {dialog}
      {isLinking && <NewLink principalId={principalId} close={() => setLinking(false)} />}
    </>
  );
};
