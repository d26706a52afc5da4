/** Filtered reads of `$all`. The official client sends filters in subscriptions only, so the Read request is made here. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { EventFilter, ReadAll, StoredEvent } from '../../../ports/event-store';
import { matchesEverything, matchesFilter } from '../event-filter';
import { readEvents } from './read-events';

const requestOf = (request: ReadAll, count: number): Buffer =>
  Buffer.from(readRequest(request, count).serializeBinary());

export async function* readAll(client: EventStoreDBClient, request: ReadAll): AsyncGenerator<StoredEvent, void> {
  const { filter, limit = Number.MAX_SAFE_INTEGER } = request;
  let { after } = request;
  // What a server makes of a filter without prefixes is its own affair.
  let left = filter?.streams?.length === 0 || filter?.types?.length === 0 ? 0 : limit;
  while (left > 0) {
    // Forwards, the event at the position itself comes again.
    const count = Math.min(left + 1, Number.MAX_SAFE_INTEGER);
    let seen = 0;
    const before = after;
    for await (const events of readEvents(client, requestOf({ ...request, after }, count)))
      for (const event of events) {
        seen += 1;
        after = event.position;
        if (event.position === before || !matchesFilter(event, filter)) continue;
        yield event;
        left -= 1;
        if (left === 0) return;
      }
    // Events that match on the server may not match here.
    if (seen < count) return;
  }
}

const { Options } = ReadReq;
const { FilterOptions } = Options;

/** Events that the server looks at before it looks after its other callers. */
const window = 512;

/** The server filters by stream or type; the reader applies the other filter. */
const expressionOf = ({ streams, types }: EventFilter) => {
  const expression = new FilterOptions.Expression();
  if (streams !== undefined || types !== undefined) expression.setPrefixList([...(streams ?? types ?? [])]);
  // No prefix at all would be matched by nothing.
  else expression.setRegex('^[^$]');
  return expression;
};

const filterOf = (filter: EventFilter) => {
  const options = new FilterOptions();
  if (filter.streams === undefined) options.setEventType(expressionOf(filter));
  else options.setStreamIdentifier(expressionOf(filter));
  options.setMax(window);
  return options;
};

const fromOf = ({ after, direction }: Pick<ReadAll, 'after' | 'direction'>) => {
  const all = new Options.AllOptions();
  if (after === null) {
    if (direction === 'backwards') all.setEnd(new Empty());
    else all.setStart(new Empty());
    return all;
  }
  const position = new Options.Position();
  position.setCommitPosition(String(after));
  position.setPreparePosition(String(after));
  return all.setPosition(position);
};

const withoutAll = ({ streams, types }: EventFilter): EventFilter => ({
  ...(streams === undefined || matchesEverything(streams) ? {} : { streams }),
  ...(types === undefined ? {} : { types }),
});

const readRequest = (stretch: Pick<ReadAll, 'after' | 'direction' | 'filter'>, count: number): ReadReq => {
  const uuid = new Options.UUIDOption();
  uuid.setString(new Empty());
  const options = new Options();
  options.setAll(fromOf(stretch));
  options.setReadDirection(stretch.direction === 'backwards' ? 1 : 0);
  options.setCount(String(count));
  options.setUuidOption(uuid);
  options.setResolveLinks(false);
  options.setFilter(filterOf(withoutAll(stretch.filter ?? {})));
  return new ReadReq().setOptions(options);
};
