/** One principal: authority, credentials, authenticators, sessions, history. */
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
} from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { Timestamp } from '../../components/timestamp';
import { hasScope, isMe } from '../../kernel/permissions';
import { withQuery } from '../../kernel/router';
import { usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import { streamPath } from '../../platform/paths';
import { CopyableId } from '../../references/copyable-id';
import { forgetPrincipalName, nameOfPrincipalRow } from '../../references/names';
import { principalTypeNames } from '../../references/principal-type-names';
import { streamOf } from '../../references/targets';
import type { PageProps } from '../../shell/section';
import { CredentialList } from '../credentials/credentials';
import type { CredentialOwner } from '../credentials/make-credential';
import { delegationsPath, revokeTokenPath } from '../fixed-paths';
import { GrantTable } from '../grant-list';
import { PrincipalTabs } from '../security-events/principal-activity';
import { SessionTable } from '../sessions';
import { useActions } from '../shared/action-dialog';
import { DescriptionList, Status, TagList } from '../shared/display';
import type { Principal } from '../wire';
import { AuthenticatorList } from './authenticators';
import { AuthorityList } from './authority';
import { History } from './history';
import { LabelPrincipal } from './label-principal';
import { PrincipalActions } from './principal-actions';
import { NewEnrolmentLink } from './register-principal';
import { SignInLimit } from './sign-in-limit';

const isPerson = ({ principalType }: Pick<Principal, 'principalType'>): boolean => principalType === 'HUMAN';

const holderOf = ({ principalId, ...principal }: Principal): CredentialOwner => {
  return {
    title: 'Credentials',
    list: listCredentials({ principalId, limit: 20 }),
    issue: (body) => issueCredential({ principalId, body }),
    revoke: (credentialId, reason) => revokeCredential({ principalId, credentialId, body: { reason } }),
    scope: 'credentials:write',
    isOfAnother: isPerson(principal) && !isMe(principalId),
    noun: 'Credential',
    none: 'No credentials. With one, the principal requests tokens by a client id and a secret.',
    isOfPrincipal: true,
  };
};

const PrincipalSessions = ({ principalId }: { readonly principalId: string }) => {
  const pages = usePages(listPrincipalSessions({ principalId, limit: 10 }));
  return (
    <section class="section">
      <h2>Sessions</h2>
      <SessionTable pages={pages} isOfOne />
    </section>
  );
};

const PrincipalGrants = ({ principalId }: { readonly principalId: string }) => {
  const pages = usePages(listPrincipalGrants({ principalId, limit: 10 }));
  return (
    <section class="section">
      <h2>Grants</h2>
      <GrantTable pages={pages} isOfOne />
    </section>
  );
};

interface IdentifiersProps {
  readonly principalId: string;
  readonly principal: Principal | undefined;
}

/** Below the name: login and id. */
const Identifiers = ({ principalId, principal }: IdentifiersProps) => {
  if (principal === undefined) return null;
  const found = nameOfPrincipalRow(principal);
  return (
    <span class="reference">
      <span class="below">
        {found.login !== undefined && <span class="login">{found.login}</span>}
        <CopyableId id={principalId} of={found.name} />
      </span>
    </span>
  );
};

/** Where else this principal is written about. */
const PrincipalLinks = ({ principal }: { readonly principal: Principal }) => {
  const { principalId, tenantId, principalType } = principal;
  const stream = (aggregate: string): string =>
    streamPath(streamOf('identity', aggregate, { tenantId, id: principalId }));
  return (
    <span class="links">
      {hasScope('sessions:read') && <a href={withQuery('/console/sessions', { principalId })}>Sessions</a>}
      {hasScope('grants:read') && <a href={withQuery('/console/grants', { principalId })}>Grants</a>}
      {principalType === 'AI_AGENT' && hasScope('grants:read') && (
        <a href={withQuery(delegationsPath, { agentId: principalId })}>Delegations</a>
      )}
      {hasScope('tokens:revoke') && hasScope('security:read') && (
        <a href={withQuery(revokeTokenPath, { principalId })}>Active tokens</a>
      )}
      {hasScope('platform:read') && (
        <>
          <a href={stream('principal')}>Events</a>
          <a href={stream('authenticators')}>Profile and sign-in events</a>
        </>
      )}
    </span>
  );
};

const PrincipalDetails = ({
  principal,
  children,
}: {
  readonly principal: Principal;
  readonly children: ComponentChildren;
}) => (
  <>
    <DescriptionList
      facts={[
        ['Type', principalTypeNames[principal.principalType]],
        ['Status', <Status key="status" status={principal.status} />],
        ...(isPerson(principal) ? [['Roles', <TagList key="roles" words={principal.roles} />] as const] : []),
        ...(principal.securityEpoch === 1
          ? []
          : [['Security epoch', `${principal.securityEpoch}: tokens with a lower one are refused`] as const]),
        ['Tenant', principal.tenantId],
        ['Created', <Timestamp key="created" at={principal.createdAt} />],
        ['See also', <PrincipalLinks key="links" principal={principal} />],
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
  const { openDialog, dialog } = useActions(changed);
  const [isLinking, setLinking] = useState(false);
  const [isLabelling, setLabelling] = useState(false);
  const relabelled = (): void => {
    forgetPrincipalName(principalId);
    principal.reload();
  };
  const known = principal.content;
  return (
    <>
      <PageHeading
        title={known === undefined ? 'Principal' : nameOfPrincipalRow(known).name}
        lead={<Identifiers principalId={principalId} principal={known} />}
        trail={[{ label: 'Principals', path: '/console/principals' }]}
      >
        {known !== undefined && (
          <PrincipalActions
            principal={known}
            openDialog={openDialog}
            link={() => setLinking(true)}
            label={() => setLabelling(true)}
          />
        )}
      </PageHeading>
      <PrincipalTabs principalId={principalId} current="overview" />
      <AsyncContent source={principal} rows={3}>
        {(found) => (
          <PrincipalDetails principal={found}>
            {hasScope('security:read') && isPerson(found) && <SignInLimit principalId={principalId} />}
            <AuthorityList principalId={principalId} isPerson={isPerson(found)} done={changed} />
            <CredentialList holder={holderOf(found)} />
            {isPerson(found) && <AuthenticatorList principalId={principalId} />}
            {hasScope('sessions:read') && isPerson(found) && <PrincipalSessions principalId={principalId} />}
            {hasScope('grants:read') && isPerson(found) && <PrincipalGrants principalId={principalId} />}
            <History
              pages={history}
              stream={streamOf('identity', 'principal', { tenantId: found.tenantId, id: principalId })}
            />
          </PrincipalDetails>
        )}
      </AsyncContent>
      {dialog}
      {isLabelling && known !== undefined && (
        <LabelPrincipal principal={known} onDone={relabelled} close={() => setLabelling(false)} />
      )}
      {isLinking && known !== undefined && <NewEnrolmentLink principal={known} close={() => setLinking(false)} />}
    </>
  );
};
