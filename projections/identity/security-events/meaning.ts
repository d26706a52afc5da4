/** A row of what an event means to somebody who watches over access. */
import type { DomainEvent } from '../../../domain/kernel/family';
import { put, type Source, type WholeChange } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import type { SecurityEventRow } from './row';

export type RowSource = Source<WholeChange<SecurityEventRow>>;

interface Meaning extends Partial<Pick<SecurityEventRow, 'principalId' | 'principalType' | 'clientId' | 'severity'>> {
  readonly summary: string;
  readonly details?: SecurityEventRow['details'];
}

const longestSummary = 1_000;

export const row = ({ at, event }: Recorded<DomainEvent>, { summary, details = {}, ...known }: Meaning) =>
  put<SecurityEventRow>({
    eventId: event.id,
    position: event.position,
    timestamp: event.occurredAt,
    type: event.type,
    principalId: null,
    principalType: null,
    clientId: null,
    actor: event.actor,
    // Few of these are alarms by themselves; detectors raise the others.
    severity: null,
    ...known,
    summary: summary.slice(0, longestSummary).toWellFormed(),
    details,
    ...at,
  });

type OfPrincipal = DomainEvent<string, { readonly principalId: NonNullable<SecurityEventRow['principalId']> }>;

export const ofSomebody = (recorded: Recorded<OfPrincipal>, meaning: Meaning) =>
  row(recorded, { ...meaning, principalId: recorded.data.principalId });
