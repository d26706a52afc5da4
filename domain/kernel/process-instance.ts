/** The streams of a process's instances: how they are named, and how their events become state. */
import { type AggregateFamily, type DomainEvent, type Family, inStreamsOf } from './family';
import type { Process, Send } from './process';
import { processEvents } from './process-events';

/** Any process, whatever its types are. */
export type AnyProcess = Process<unknown, DomainEvent, DomainEvent, Send>;

/** What stands in the place of an aggregate's name: `end-sessions-on-…` is `endSessionsOn…`. */
const instanceAggregate = ({ name }: Pick<AnyProcess, 'name'>): string =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const isKernels = ({ type }: DomainEvent): boolean => type in processEvents.codecs;

/** One family of the process's state events and the kernel's own events, distinguished by their names. */
const withKernelEvents = (own: Family<DomainEvent>): Family<DomainEvent> => {
  const kernel = processEvents as unknown as Family<DomainEvent>;
  const conflicting = Object.keys(own.codecs).find((type) => type in kernel.codecs);
  if (conflicting !== undefined || own.context === kernel.context)
    throw new Error(`a process of ${own.context} uses a name of the kernel's own`);
  return {
    ...own,
    storedTypes: [...own.storedTypes, ...kernel.storedTypes],
    codecs: { ...own.codecs, ...kernel.codecs },
    encode: (event) => (isKernels(event) ? kernel : own).encode(event),
    decode: (storedType, data) => (storedType.startsWith(`${kernel.context}.`) ? kernel : own).decode(storedType, data),
  };
};

export interface InstanceFold {
  readonly family: AggregateFamily<DomainEvent>;
  readonly initial: unknown;
  readonly evolve: (state: unknown, event: DomainEvent) => unknown;
}

export const instanceFold = (process: AnyProcess): InstanceFold => ({
  family: inStreamsOf(withKernelEvents(process.stateEvents), instanceAggregate(process)),
  initial: process.initial,
  evolve: (state, event) => (isKernels(event) ? state : process.evolve(state, event)),
});
