/** Answers to refusals of webhooks. */
import type { ProblemTable } from '../../infra/server/http/problem';

export const endpointProblems = {
  'webhook-endpoint-unknown': { status: 404, title: 'There is no such webhook endpoint' },
  'webhook-url-refused': { status: 422, title: 'Webhooks cannot be sent to this address' },
  'webhook-event-types-repeated': { status: 422, title: 'An event type is named twice' },
  'too-many-webhook-endpoints': { status: 409, title: 'There are too many webhook endpoints' },
} as const satisfies ProblemTable;

export const deliveryProblems = {
  'webhook-endpoint-unknown': endpointProblems['webhook-endpoint-unknown'],
  'webhook-delivery-unknown': { status: 404, title: 'There is no such delivery' },
  'webhook-delivery-pending': { status: 409, title: 'The delivery is under way' },
} as const satisfies ProblemTable;
