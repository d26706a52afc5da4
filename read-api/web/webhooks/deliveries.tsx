/** Deliveries to one endpoint; each opens to its attempts. */
import { useState } from 'preact/hooks';
import { listWebhookAttempts, listWebhookDeliveries, redeliverWebhook } from '../../../packages/client/src/operations';
import { EmptyState } from '../components/empty-state';
import { PagedTable } from '../components/paged-table';
import { ProblemMessage } from '../components/problem-message';
import { StatusBadge } from '../components/status-badge';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { RowButton } from '../identity/shared/action-dialog';
import { hasScope } from '../kernel/permissions';
import type { Problem } from '../kernel/problem';
import { showToast } from '../kernel/toasts';
import { useCommand } from '../kernel/use-command';
import { usePages } from '../kernel/use-pages';
import type { Attempt, Delivery } from './api-types';
import { wordOfDelivery, wordOfResult } from './delivery-words';

const attemptColumns: readonly Column<Attempt>[] = [
  { title: 'Attempt', kind: 'number', show: ({ attempt }) => attempt },
  { title: 'At', show: ({ attemptedAt }) => <Timestamp at={attemptedAt} /> },
  { title: 'Result', show: wordOfResult },
  { title: 'Took', kind: 'number', isWide: true, show: ({ milliseconds }) => `${milliseconds} ms` },
  { title: 'Answer', isWide: true, show: ({ excerpt }) => <span class="mono">{excerpt}</span> },
];

const Attempts = ({ endpointId, deliveryId }: Delivery) => (
  <PagedTable
    pages={usePages(listWebhookAttempts({ endpointId, deliveryId, limit: 20 }))}
    label="Attempts"
    one="attempt"
    columns={attemptColumns}
    keyOf={({ attempt }) => String(attempt)}
    empty={<p class="faint">No attempt yet.</p>}
    rows={2}
  />
);

const State = ({ delivery }: { readonly delivery: Delivery }) => {
  const { text, tone } = wordOfDelivery(delivery);
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
};

const columnsWith = (redeliver: (delivery: Delivery) => void): readonly Column<Delivery>[] => [
  {
    title: 'Event',
    show: ({ eventType, occurredAt }) => (
      <>
        <span class="mono">{eventType}</span>
        <div class="below">
          <Timestamp at={occurredAt} />
        </div>
      </>
    ),
  },
  { title: 'State', show: (delivery) => <State delivery={delivery} /> },
  { title: 'Last result', isWide: true, show: wordOfResult },
  { title: 'Attempts', kind: 'number', isWide: true, show: ({ attempts }) => attempts },
  {
    title: 'Next attempt',
    kind: 'tight',
    isWide: true,
    show: ({ nextAttemptAt }) => (nextAttemptAt === null ? '—' : <Timestamp at={nextAttemptAt} />),
  },
  {
    title: 'Action',
    kind: 'tight',
    show: (delivery) =>
      (delivery.status !== 'pending' || delivery.attempts > 0) &&
      hasScope('webhooks:write') && (
        <RowButton
          label={delivery.status === 'pending' ? 'Send now' : 'Deliver again'}
          what={`${delivery.eventType} ${delivery.eventId}`}
          onPress={() => redeliver(delivery)}
        />
      ),
  },
];

export const Deliveries = ({ endpointId }: { readonly endpointId: string }) => {
  const pages = usePages(listWebhookDeliveries({ endpointId, limit: 50 }), { everyMilliseconds: 5_000 });
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const redeliver = async ({ deliveryId }: Delivery): Promise<void> => {
    const answer = await send(redeliverWebhook({ endpointId, deliveryId }));
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast('The event is delivered again.');
    pages.reload();
  };
  return (
    <section>
      <h2>Deliveries</h2>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <PagedTable
        pages={pages}
        label="Deliveries"
        one="delivery"
        many="deliveries"
        columns={columnsWith((delivery) => void redeliver(delivery))}
        keyOf={({ deliveryId }) => deliveryId}
        details={{
          label: ({ eventType, eventId }) => `Attempts of ${eventType} ${eventId}`,
          show: (delivery) => <Attempts {...delivery} />,
        }}
        empty={<EmptyState title="No deliveries yet">Send a test event, or wait for the first event.</EmptyState>}
      />
    </section>
  );
};
