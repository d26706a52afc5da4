/** What the reader is entitled to play. */
import { getVideo, listOwnVideoEntitlements } from '../../../../packages/client/src/operations';
import type { VideoEntitlement } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { useResource } from '../../kernel/use-resource';
import { shortId } from '../../references/short-id';
import { OwnerName } from '../owner-name';
import { channelPath, videosPath, watchPath } from '../paths';
import { EntitlementTable } from './entitlement-table';

const TitledVideo = ({ videoId }: { readonly videoId: string }) => {
  const { content } = useResource(getVideo({ videoId }));
  return <a href={watchPath(videoId)}>{content?.title ?? `Video ${shortId(videoId)}`}</a>;
};

const Entitled = ({ videoId, ownerId }: VideoEntitlement) =>
  videoId === null ? (
    <>
      All of{' '}
      <a href={channelPath(ownerId)}>
        <OwnerName ownerId={ownerId} />
      </a>
    </>
  ) : (
    <TitledVideo videoId={videoId} />
  );

export const OwnEntitlementsPage = () => {
  const entitlements = useResource(listOwnVideoEntitlements());
  return (
    <>
      <PageHeading
        title="Your entitlements"
        lead="Subscriptions, purchases and rentals that you were granted."
        trail={[{ label: 'Videos', path: videosPath }]}
      />
      <AsyncContent source={entitlements} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No entitlement yet">
              Owners of videos grant them on a video’s page; a service that takes payments does, too.
            </EmptyState>
          ) : (
            <EntitlementTable
              label="Your entitlements"
              entitlements={items}
              first={{ title: 'To', show: (one) => <Entitled {...one} /> }}
            />
          )
        }
      </AsyncContent>
    </>
  );
};
