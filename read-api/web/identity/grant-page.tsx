/** One grant and its refresh token families. */
import { getGrant, getRefreshFamily } from '../../../packages/client/src/operations';
import { AsyncContent } from '../components/async-content';
import { PageHeading } from '../components/page-heading';
import { Timestamp } from '../components/timestamp';
import { useResource } from '../kernel/use-resource';
import type { PageProps } from '../shell/section';
import { canRevoke, revoking } from './grant-list';
import { pageOfClient, principalPath } from './paths';
import { useActions } from './shared/action-dialog';
import { DescriptionList, Status, TagList } from './shared/display';
import type { Grant } from './wire';

const GrantFacts = ({ grant }: { readonly grant: Grant }) => (
  <DescriptionList
    facts={[
      ['Status', <Status key="status" status={grant.status} expiresAt={grant.expiresAt} />],
      [
        'In the name of',
        <a key="who" class="mono" href={principalPath(grant.principalId)}>
          {grant.principalId}
        </a>,
      ],
      [
        'Client',
        <a key="client" class="mono" href={pageOfClient(grant.clientId)}>
          {grant.clientId}
        </a>,
      ],
      ['Scopes', <TagList key="scopes" words={grant.scopes} most={40} />],
      ['For', <TagList key="audience" words={grant.audience} />],
      ['Proven by', <TagList key="methods" words={grant.methods} />],
      ['Proven at', <Timestamp key="at" at={grant.authenticatedAt} />],
      ['Granted at', <Timestamp key="since" at={grant.createdAt} />],
      ['Ends', <Timestamp key="until" at={grant.endedAt ?? grant.expiresAt} />],
      ...(grant.reason === null ? [] : [['Why it ended', grant.reason] as const]),
      ...(grant.incidentId === null ? [] : [['Incident', grant.incidentId] as const]),
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
              ['Bound to', found.binding === null ? 'Nothing' : bindings[found.binding]],
              ['Over when unused for', `${Math.round(found.idleSeconds / 3_600)} h`],
              ['Ends', <Timestamp key="until" at={found.endedAt ?? found.expiresAt} />],
              ...(found.reason === null ? [] : [['Why it ended', found.reason] as const]),
            ]}
          />
        )}
      </AsyncContent>
    </section>
  );
};

export const GrantPage = ({ params }: PageProps) => {
  const { grantId = '' } = params;
  const grant = useResource(getGrant({ grantId }));
  const { openDialog, dialog } = useActions(grant.reload);
  const known = grant.content;
  return (
    <>
      <PageHeading title={grantId} trail={[{ label: 'Grants', path: '/console/grants' }]}>
        {known !== undefined && canRevoke(known) && (
          <button type="button" class="button danger" onClick={() => openDialog(revoking(grantId))}>
            Revoke
          </button>
        )}
      </PageHeading>
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
