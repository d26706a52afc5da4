/** An event whose id only is known: goes on to where it is. */
import { useEffect } from 'preact/hooks';
import { findPlatformEvent } from '../../../packages/client/src/operations';
import { useResource } from '../kernel/resource';
import { navigate } from '../kernel/router';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import type { PageProps } from '../shell/section';
import { eventPath } from './paths';

export const FindPage = ({ params }: PageProps) => {
  const { eventId = '' } = params;
  const found = useResource(findPlatformEvent({ eventId }));
  const at = found.content;
  useEffect(() => {
    if (at !== undefined) navigate(eventPath(at.stream, at.revision), 'replace');
  }, [at]);
  return (
    <>
      <Heading title="Finding the event" trail={[{ label: 'Streams', path: '/console/streams' }]} lead={eventId} />
      <Loaded source={found} rows={1}>
        {() => null}
      </Loaded>
    </>
  );
};
