/** Recorded events of principals. */
import { principals } from '../../../domain/identity/principal/events';
import type { NewEvent } from '../../../infra/ports/event-store';

let made = 0;

export const eventOf = (event: typeof principals.Event): NewEvent => {
  made += 1;
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    ...principals.encode(event),
    metadata: {
      $correlationId: 'request-1',
      $causationId: 'request-1',
      commandId: `command-${made}`,
      commandHash: 'h',
      tenant: 'acme',
      actor: 'p-admin',
      at: '2026-01-31T12:00:00.000Z',
    },
  };
};
