/** The Read request for a stretch of the whole log, with the filter in it: the official client asks for filtered subscriptions only. */
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { EventFilter, ReadAll } from '../ports/event-store';
import { isOfAll } from './filter';

const { Options } = ReadReq;
const { FilterOptions } = Options;

/** Events that the server looks at before it looks after its other callers. */
const window = 512;

/** The server filters by one of the two; the other is applied by who reads. */
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
  ...(streams === undefined || isOfAll(streams) ? {} : { streams }),
  ...(types === undefined ? {} : { types }),
});

export const readRequest = (stretch: Pick<ReadAll, 'after' | 'direction' | 'filter'>, count: number): ReadReq => {
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
