/** What a context records: its aggregates, the processes that answer events, and what events refer to outside of the log. */
import type { AggregateFamily, DomainEvent } from './family';
import { type AnyProcess, instanceFold } from './process-instance';
import type { OpenReferenceReader } from './references';

/** How the events of an aggregate become state, whatever its types are. A decider is one. */
export interface Aggregate {
  /** Without what takes an event: that is of its types alone. */
  readonly family: Omit<AggregateFamily<DomainEvent>, 'encode' | 'codecs'>;
  readonly initial: unknown;
  readonly evolve: (state: never, event: never) => unknown;
}

/** `domain/<context>/processes.ts` exports them, by name: audits fold their instances, and the write side binds each to its deciders. */
export interface ContextProcesses {
  readonly [name: string]: Pick<AnyProcess, 'name' | 'context' | 'startFrom'>;
}

/** The instances of each process, as an aggregate. */
export const instancesOf = (processes: ContextProcesses): readonly Aggregate[] =>
  Object.values(processes).map((process) => instanceFold(process as AnyProcess));

/** `domain/<context>/aggregates.ts` exports one. It loads every decider of the context: for audits, backups and generators, not for services. */
export interface ContextAggregates {
  readonly aggregates: readonly Aggregate[];
  /** Blobs, Git directories and keys, which a backup must have. */
  readonly references: OpenReferenceReader | 'none';
}
