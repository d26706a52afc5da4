/** Declaration of a stream: name, scopes, source of its events, and filters. */
import type * as t from 'io-ts';
import { record, text } from '../../../domain/kernel/codec';
import type { Problem } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import type { StreamEvent, StreamSource } from './stream-event';

export type Filter = { readonly [field: string]: unknown };

interface StreamDescription {
  /** On WebSockets and in metrics: `security-events`. */
  readonly name: string;
  /** Path of its server-sent events. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly scopes: readonly string[];
  /** Codec of an event's data, for the documentation and for typed clients. */
  readonly item?: t.Any;
  readonly followed: StreamSource;
  /** Called at each start of a subscription, after the check of scopes. */
  readonly refuse?: (identity: Identity, filter: Filter) => Promise<Problem | undefined>;
}

export interface StreamSpec<Filters extends t.Props> extends StreamDescription {
  /** Fields of the item. A subscriber gets the items that equal its filter. */
  readonly filters: Filters;
  /** The filter that is the aggregate's id. A subscriber that sets it reads past events of this aggregate only. */
  readonly key?: keyof Filters & string;
  /** Filters of texts that an item may satisfy without being equal. */
  readonly matches?: { readonly [Name in keyof Filters & string]?: Matches };
}

type Matches = (value: string, wanted: string) => boolean;

export interface Stream extends StreamDescription {
  readonly filter: t.Type<Filter, unknown>;
  /** The filter and the start position. */
  readonly query: t.Type<Filter & StartQuery, unknown>;
  readonly key: string | undefined;
  readonly matches: { readonly [field: string]: Matches | undefined };
}

export interface StartQuery {
  readonly after?: string;
  readonly last_event_id?: string;
}

const StreamId = text('StreamId', {
  examples: ['42'],
  maxLength: 2048,
  description: 'The id of an event of this stream.',
});

export const stream = <Filters extends t.Props>({
  filters,
  key,
  matches = {},
  ...named
}: StreamSpec<Filters>): Stream => ({
  ...named,
  key,
  matches,
  filter: record(`${named.operation}Filter`, {}, filters) as unknown as Stream['filter'],
  query: record(
    `${named.operation}Query`,
    {},
    {
      ...filters,
      after: StreamId,
      last_event_id: StreamId,
    },
  ) as unknown as Stream['query'],
});

export interface SubscriptionFilter {
  readonly wanted: (event: StreamEvent) => boolean;
  readonly key: string | undefined;
}

const fieldOf = (body: object, field: string): unknown => Object.getOwnPropertyDescriptor(body, field)?.value;

export const compileFilter = (
  { key, matches }: Pick<Stream, 'key' | 'matches'>,
  filter: Filter,
): SubscriptionFilter => {
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
  const id = key === undefined ? undefined : filter[key];
  return {
    wanted: ({ body }) =>
      conditions.every(([field, wanted]) => {
        const value = fieldOf(body, field);
        if (value === wanted) return true;
        return typeof value === 'string' && typeof wanted === 'string' && matches[field]?.(value, wanted) === true;
      }),
    key: typeof id === 'string' ? id : undefined,
  };
};
