/** The aggregates of a context, listed once: a stream can be named only of one of them, and audits cover each. */
import { streamName, type TenantId } from './ids';

export interface ContextStreams<Aggregate extends string = string> {
  readonly context: string;
  readonly aggregates: readonly Aggregate[];
  /** Names the streams of one aggregate. */
  readonly of: <Id extends string>(aggregate: Aggregate) => (tenant: TenantId, id: Id) => string;
}

export const contextStreams = <const Aggregate extends string>(
  context: string,
  aggregates: readonly Aggregate[],
): ContextStreams<Aggregate> => ({
  context,
  aggregates,
  of: (aggregate) => (tenant, id) => streamName({ context, aggregate, tenant, id }),
});
