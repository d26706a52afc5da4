/** Audience of a video: its visibility, people by name, and entitlements. */
import { getVideoAccess } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { useResource } from '../../kernel/use-resource';
import { VideoEntitlements } from './entitlements';
import { VideoPeople } from './people';
import { VideoVisibility } from './visibility';

export const VideoSharing = ({ videoId }: { readonly videoId: string }) => {
  const access = useResource(getVideoAccess({ videoId }));
  return (
    <>
      <section class="section" aria-label="Sharing">
        <h2>Visibility</h2>
        <AsyncContent source={access} rows={2}>
          {(found) => <VideoVisibility access={found} onDone={access.reload} />}
        </AsyncContent>
      </section>
      {access.content !== undefined && (
        <>
          <VideoPeople access={access.content} onDone={access.reload} />
          <VideoEntitlements access={access.content} onDone={access.reload} />
        </>
      )}
    </>
  );
};
