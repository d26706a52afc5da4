/** One grant and its refresh token families. */
import type { ComponentChildren } from 'preact';
import { getGrant, getRefreshFamily } from '../../../packages/client/src/operations';
import { AsyncContent } from '../components/async-content';
import { PageHeading } from '../components/page-heading';
import { Timestamp } from '../components/timestamp';
import { hasScope, ownTenant } from '../kernel/permissions';
import { useResource } from '../kernel/use-resource';
import { streamPath } from '../platform/paths';
import { CopyableId } from '../references/copyable-id';
import { Reference, useName } from '../references/reference';
import { shortId } from '../references/short-id';
import { streamOf } from '../references/targets';
import type { PageProps } from '../shell/section';
import { canRevoke, revoking } from './grant-list';
import { useActions } from './shared/action-dialog';
import { DescriptionList, MethodList, Status, TagList } from './shared/display';
import type { Grant } from './wire';

const GrantFacts = ({ grant }: { readonly grant: Grant }) => (
  <DescriptionList
    facts={[
      ['Status', <Status key="status" status={grant.status} expiresAt={grant.expiresAt} />],
      ['On behalf of', <Reference key="who" kind="principal" id={grant.principalId} />],
      ['Client', <Reference key="client" kind="client" id={grant.clientId} />],
      ['Audiences', <TagList key="audience" words={grant.audience} />],
      ['Authentication methods', <MethodList key="methods" methods={grant.methods} />],
      ['Authenticated at', <Timestamp key="at" at={grant.authenticatedAt} />],
      ['Granted at', <Timestamp key="since" at={grant.createdAt} />],
      ['Ends', <Timestamp key="until" at={grant.endedAt ?? grant.expiresAt} />],
      ...(grant.sessionId === null
        ? []
        : [['Session', <Reference key="session" kind="session" id={grant.sessionId} isShort />] as const]),
      ...(grant.workload === null
        ? []
        : [
            [
              'Workload',
              <span key="workload" class="mono wraps">
                {grant.workload.subject}
              </span>,
            ] as const,
          ]),
      ...(grant.reason === null ? [] : [['Reason it ended', grant.reason] as const]),
      ...(grant.incidentId === null ? [] : [['Incident', grant.incidentId] as const]),
      ['Scopes', <TagList key="scopes" words={grant.scopes} most={40} />],
    ]}
  />
);

const bindings = { dpop: 'A key of the client (DPoP)', tls: 'A certificate of the client' } as const;

const FamilyDetails = ({ familyId }: { readonly familyId: string }) => {
  const family = useResource(getRefreshFamily({ familyId }));
  return (
    <section class="section">
      <h2>Refresh tokens</h2>
      <AsyncContent source={family} rows={2}>
        {(found) => (
          <DescriptionList
            facts={[
              ['Status', <Status key="status" status={found.status} expiresAt={found.expiresAt} />],
              ['Used', found.rotation_counter === 1 ? 'Once' : `${found.rotation_counter} times`],
              ['Last used', <Timestamp key="used" at={found.lastUsedAt} />],
              ['Bound to', found.binding === null ? 'Not bound' : bindings[found.binding]],
              ['Expires when unused for', `${Math.round(found.idleSeconds / 3_600)} h`],
              ['Ends', <Timestamp key="until" at={found.endedAt ?? found.expiresAt} />],
              ...(found.reason === null ? [] : [['Reason it ended', found.reason] as const]),
            ]}
          />
        )}
      </AsyncContent>
    </section>
  );
};

interface HeadingProps {
  readonly grantId: string;
  readonly grant: Grant | undefined;
  readonly children: ComponentChildren;
}

/** The person and the client, where both have names. */
const GrantHeading = ({ grantId, grant, children }: HeadingProps) => {
  const principal = useName('principal', grant?.principalId ?? '');
  const client = useName('client', grant?.clientId ?? '');
  const title =
    principal === undefined || client === undefined ? `Grant ${shortId(grantId)}` : `${principal}’s grant to ${client}`;
  return (
    <PageHeading
      title={title}
      trail={[{ label: 'Grants', path: '/console/grants' }]}
      lead={<CopyableId id={grantId} of={title} />}
    >
      {children}
    </PageHeading>
  );
};

export const GrantPage = ({ params }: PageProps) => {
  const { grantId = '' } = params;
  const grant = useResource(getGrant({ grantId }));
  const { openDialog, dialog } = useActions(grant.reload);
  const known = grant.content;
  const stream = streamOf('identity', 'grant', { tenantId: ownTenant(), id: grantId });
  return (
    <>
      <GrantHeading grantId={grantId} grant={known}>
        {known !== undefined && hasScope('platform:read') && (
          <a class="button" href={streamPath(stream)}>
            Events
          </a>
        )}
        {known !== undefined && canRevoke(known) && (
          <button type="button" class="button danger" onClick={() => openDialog(revoking(grantId))}>
            Revoke
          </button>
        )}
      </GrantHeading>
      <AsyncContent source={grant} rows={3}>
        {(found) => (
          <>
            <GrantFacts grant={found} />
            {found.refreshFamilyId !== null && <FamilyDetails key={found.status} familyId={found.refreshFamilyId} />}
          </>
        )}
      </AsyncContent>
      {dialog}
    </>
  );
};
