/** Redirects from an event's id to its page. */
import { useEffect } from 'preact/hooks';
import { findPlatformEvent } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { navigate } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { eventPath } from '../paths';

export const FindEventPage = ({ params }: PageProps) => {
  const { eventId = '' } = params;
  const found = useResource(findPlatformEvent({ eventId }));
  const at = found.content;
  useEffect(() => {
    if (at !== undefined) navigate(eventPath(at.stream, at.revision), 'replace');
  }, [at]);
  return (
    <>
      <PageHeading
        title={found.problem === undefined ? 'Finding the event' : 'Event'}
        trail={[{ label: 'Streams', path: '/console/streams' }]}
        lead={<span class="mono">{eventId}</span>}
      />
      <AsyncContent source={found} rows={1}>
        {() => null}
      </AsyncContent>
    </>
  );
};
