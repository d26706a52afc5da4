/** One kind of stream made readable and foldable, whatever its state is. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Aggregate } from '../../domain/kernel/aggregate';
import type { StoredEvent } from '../../infra/ports/event-store';
import { decodeRecordedEvent, type EventInfo, type PoisonEvent, poisonEvent } from './recorded-event';

export interface AuditStep {
  readonly facts: EventInfo;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditedAggregate {
  /** How the names of its streams begin. */
  readonly prefix: string;
  readonly initial: unknown;
  readonly storedTypes: readonly string[];
  /** The personal fields of an event by its stored type, whatever version that is of. */
  readonly secretsOf: (storedType: string) => readonly string[];
  readonly step: (state: unknown, stored: StoredEvent) => Either<PoisonEvent, AuditStep>;
}

/** An aggregate whose events can be made state again. */
export const auditedAggregate = ({ family, initial, evolve }: Aggregate): AuditedAggregate => ({
  prefix: family.prefix,
  initial,
  storedTypes: family.storedTypes,
  secretsOf: (storedType) => {
    const [, type = ''] = storedType.split('.');
    return family.secrets[type] ?? [];
  },
  step: (before, stored) => {
    const read = decodeRecordedEvent(family, stored);
    if (isLeft(read)) return read;
    const { type, recorded } = read.right;
    try {
      const after = evolve(before as never, { type, data: recorded.data } as never);
      return right({ facts: recorded.event, before, after });
    } catch (error) {
      return poisonEvent(stored, `The state cannot take it: ${error instanceof Error ? error.name : 'it threw'}.`);
    }
  },
});
