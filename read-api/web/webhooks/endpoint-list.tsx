/** List of webhook endpoints. */
import { useState } from 'preact/hooks';
import { addWebhookEndpoint, listWebhookEndpoints } from '../../../packages/client/src/operations';
import { EmptyState } from '../components/empty-state';
import { Guide } from '../components/guide';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import { StatusBadge } from '../components/status-badge';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { TagList } from '../identity/shared/display';
import { hasScope } from '../kernel/permissions';
import { navigate } from '../kernel/router';
import { usePages } from '../kernel/use-pages';
import type { WebhookEndpoint } from './api-types';
import { wordOfEndpoint } from './delivery-words';
import { EndpointForm } from './endpoint-form';
import { EndpointSecret } from './endpoint-secret';
import { webhookPath } from './paths';

export const EndpointState = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const { text, tone } = wordOfEndpoint(endpoint);
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
};

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    title: 'Endpoint',
    show: ({ endpointId, url, description }) => (
      <>
        <a href={webhookPath(endpointId)}>{url}</a>
        {description !== '' && <div class="below">{description}</div>}
      </>
    ),
  },
  { title: 'State', show: (endpoint) => <EndpointState endpoint={endpoint} /> },
  { title: 'Event types', isWide: true, show: ({ eventTypes }) => <TagList words={eventTypes} /> },
  { title: 'Added', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

interface Added {
  readonly endpointId: string;
  readonly secret: string;
}

export const EndpointListPage = () => {
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState<Added>();
  const pages = usePages(listWebhookEndpoints({ limit: 50 }));
  const mayWrite = hasScope('webhooks:write');
  return (
    <>
      <PageHeading title="Webhooks" lead="Events that are posted to receivers of yours, signed.">
        {mayWrite && (
          <button type="button" class="button primary" onClick={() => setAdding(true)}>
            Add an endpoint
          </button>
        )}
      </PageHeading>
      <PagedTable
        pages={pages}
        label="Webhook endpoints"
        one="endpoint"
        columns={columns}
        keyOf={({ endpointId }) => endpointId}
        empty={
          <EmptyState title="No endpoints yet">
            An endpoint is an address of yours that events are sent to. <Guide name="webhooks" group="webhooks" />
          </EmptyState>
        }
      />
      {isAdding && (
        <EndpointForm
          title="New endpoint"
          act="Add"
          command={(settings) => addWebhookEndpoint({ body: settings })}
          onDone={setAdded}
          close={() => setAdding(false)}
        />
      )}
      {added !== undefined && (
        <EndpointSecret
          secret={added.secret}
          close={() => {
            setAdded(undefined);
            navigate(webhookPath(added.endpointId));
          }}
        />
      )}
    </>
  );
};
