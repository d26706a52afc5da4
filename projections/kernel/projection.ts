/** A projection maps every event of the streams that it follows to changes of one view's rows. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { AggregateFamily, DomainEvent } from '../../domain/kernel/family';
import { type SubjectEvent, subjects } from '../../domain/privacy/subject/events';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { Change, IndexView, KeysView, View, ViewRow } from '../../infra/ports/views/view-store';
import type { ContentRows } from './content';
import { withErasures } from './erasable-rows';
import {
  decodeRecordedEvent,
  forgetSecrets,
  type PoisonEvent,
  poisonEvent,
  type RecordedEvent,
} from './recorded-event';

/** A function for each event type that is not `ignored`. A type in neither, or in both, does not compile. */
export type Project<Event extends DomainEvent, Allowed, Ignored extends Event['type'] = never> = {
  readonly [Type in Exclude<Event['type'], Ignored>]: (
    recorded: RecordedEvent<Extract<Event, { type: Type }>>,
  ) => readonly (Allowed | ContentRows<Allowed>)[];
} & { readonly ignored?: readonly Ignored[] };

/** One kind of stream that a view follows. */
export interface ProjectionSource<Allowed> {
  /** How the names of its streams begin: `<context>.<aggregate>-`. */
  readonly prefix: string;
  /** No operator may skip its events. */
  readonly mandatory?: true;
  readonly changes: (stored: StoredEvent) => Either<PoisonEvent, readonly (Allowed | ContentRows<Allowed>)[]>;
}

export interface Projection {
  readonly view: View;
  readonly sources: readonly ProjectionSource<Change>[];
}

/** An index takes whole documents only. */
type AllowedBy<V> =
  V extends IndexView<infer Row>
    ? WholeChange<Row>
    : V extends KeysView<infer Row>
      ? Exclude<Change<Row>, { readonly kind: 'merge' | 'patch-where' }>
      : V extends View<infer Row>
        ? Change<Row>
        : never;
export type WholeChange<Row extends ViewRow> = Exclude<
  Change<Row>,
  { readonly kind: 'patch' | 'merge' | 'patch-where' }
>;

export const putRow = <Row extends ViewRow>(row: Row): readonly { readonly kind: 'put'; readonly row: Row }[] => [
  { kind: 'put', row },
];

export const patchRow = <Row extends ViewRow>(
  key: Partial<Row>,
  fields: Partial<Row>,
): readonly Extract<Change<Row>, { readonly kind: 'patch' }>[] => [{ kind: 'patch', key, fields }];

/** Patches all rows of the tenant with these values. For few rows, found by an index. */
export const patchRowsWhere = <Row extends ViewRow>(
  where: Partial<Row> & Pick<Row, 'tenantId'>,
  fields: Partial<Row>,
): readonly Extract<Change<Row>, { readonly kind: 'patch-where' }>[] => [{ kind: 'patch-where', where, fields }];

export const removeRow = <Row extends ViewRow>(
  key: Partial<Row>,
): readonly { readonly kind: 'remove'; readonly key: Partial<Row> }[] => [{ kind: 'remove', key }];

/** Everything in the streams of an aggregate is of its family; what is not stops the view. */
export const streamsOf = <Event extends DomainEvent, Allowed, Ignored extends Event['type'] = never>(
  family: AggregateFamily<Event>,
  project: Project<Event, Allowed, Ignored>,
): ProjectionSource<Allowed> => {
  const ignored = new Set<string>(project.ignored);
  const changesOf = project as { readonly [type: string]: unknown };
  const changes: ProjectionSource<Allowed>['changes'] = (stored) => {
    const read = decodeRecordedEvent(family, stored);
    if (isLeft(read)) return read;
    const { type, recorded } = read.right;
    if (ignored.has(type)) return right([]);
    const change = changesOf[type] as (recorded: RecordedEvent<Event>) => readonly (Allowed | ContentRows<Allowed>)[];
    try {
      return right(change(recorded));
    } catch (error) {
      return poisonEvent(stored, `The projection is defective: ${error instanceof Error ? error.name : 'it threw'}.`);
    }
  };
  return { prefix: family.prefix, changes };
};

/** What erasures change in a personal view. */
const erasures: ProjectionSource<Change> = {
  ...streamsOf<SubjectEvent, Change>(subjects, {
    SubjectForgotten: ({ data, at: { tenantId } }) => [{ kind: 'erase', tenantId, keys: data.keys }],
  }),
  mandatory: true,
};

const hidden = (source: ProjectionSource<Change>): ProjectionSource<Change> => ({
  ...source,
  changes: (stored) => source.changes(forgetSecrets(stored)),
});

/** Rows of a feed outlive the forgetting of what is in them. */
const refuseFeed = (view: View): void => {
  if (view.store === 'redis' && view.feedMilliseconds !== undefined)
    throw new Error(`${view.name} is personal and has a feed`);
};

/** Forgets the type of the rows: the runner and the stores treat all views alike. */
export const projection = <V extends { readonly name: string }>(
  view: V,
  sources: readonly ProjectionSource<AllowedBy<V>>[],
): Projection => {
  const plain = { view: view as unknown as View, sources: sources as unknown as readonly ProjectionSource<Change>[] };
  if (plain.view.personal !== true) return { ...plain, sources: plain.sources.map(hidden) };
  refuseFeed(plain.view);
  const own = plain.sources.map((source) => ({ ...source, changes: withErasures(plain.view, source.changes) }));
  return { ...plain, sources: [...own, erasures] };
};

/** Undefined when the event is in no stream of this projection. */
export const sourceOf = ({ sources }: Projection, { stream }: StoredEvent): ProjectionSource<Change> | undefined =>
  sources.find(({ prefix }) => stream.startsWith(prefix));

export const prefixesOf = (projections: readonly Projection[]): readonly string[] => [
  ...new Set(projections.flatMap(({ sources }) => sources.map(({ prefix }) => prefix))),
];
