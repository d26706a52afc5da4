/** One webhook endpoint: its state, what can be done with it, and its deliveries. */
import { getWebhookEndpoint } from '../../../packages/client/src/operations';
import { AsyncContent } from '../components/async-content';
import { PageHeading } from '../components/page-heading';
import { Timestamp } from '../components/timestamp';
import { type DescriptionEntry, DescriptionList, TagList } from '../identity/shared/display';
import { hasScope } from '../kernel/permissions';
import { useResource } from '../kernel/use-resource';
import type { PageProps } from '../shell/section';
import type { WebhookEndpoint } from './api-types';
import { Deliveries } from './deliveries';
import { EndpointActions } from './endpoint-actions';
import { EndpointState } from './endpoint-list';

const factsOf = (endpoint: WebhookEndpoint): readonly DescriptionEntry[] => {
  const { description, eventTypes, failingSince, earlierSecretUntil, createdAt } = endpoint;
  const isOverlapping = earlierSecretUntil !== null && Date.parse(earlierSecretUntil) > Date.now();
  return [
    ['State', <EndpointState key="state" endpoint={endpoint} />],
    ...(failingSince === null
      ? []
      : [['Failing since', <Timestamp key="failing" at={failingSince} />] satisfies DescriptionEntry]),
    ['Event types', <TagList key="types" words={eventTypes} />],
    ...(description === '' ? [] : [['Description', description] satisfies DescriptionEntry]),
    ...(isOverlapping
      ? [['Earlier secret signs until', <Timestamp key="earlier" at={earlierSecretUntil} />] satisfies DescriptionEntry]
      : []),
    ['Added', <Timestamp key="added" at={createdAt} />],
  ];
};

export const EndpointPage = ({ params: { endpointId = '' } }: PageProps) => {
  const source = useResource(getWebhookEndpoint({ endpointId }), { everyMilliseconds: 5_000 });
  return (
    <>
      <AsyncContent source={source}>
        {(endpoint) => (
          <>
            <PageHeading title={endpoint.url}>
              {hasScope('webhooks:write') && <EndpointActions endpoint={endpoint} done={source.reload} />}
            </PageHeading>
            <DescriptionList facts={factsOf(endpoint)} />
          </>
        )}
      </AsyncContent>
      <Deliveries endpointId={endpointId} />
    </>
  );
};
