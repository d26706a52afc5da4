/** Streams whose names are close to one that does not exist. */
import { isLeft } from 'fp-ts/Either';
import { similarNames, suggestion } from '../../../packages/command-line/src/index';
import type { EventStore } from '../../ports/event-store';

/** Bounds the search in a large log. */
const maxEventsSearched = 200_000;
const maxStreams = 3;

const namesUnder = async (store: EventStore, prefixes: readonly string[]): Promise<ReadonlySet<string>> => {
  const names = new Set<string>();
  const filter = { streams: prefixes };
  for await (const { stream } of store.readAll({ after: null, filter, limit: maxEventsSearched })) names.add(stream);
  return names;
};

/** `prefixes`: how the names of streams begin, as `identity.principal-`. Where the kind is known, only its streams are read; an id alone is found too. */
const similarStreams = async (
  store: EventStore,
  prefixes: readonly string[],
  unknown: string,
): Promise<readonly string[]> => {
  const own = prefixes.filter((prefix) => unknown.startsWith(prefix));
  const kind = unknown.includes('-') ? `${unknown.split('-', 1)[0]}-` : unknown;
  const near = own.length > 0 ? own : similarNames(kind, prefixes);
  const names = [...(await namesUnder(store, near.length > 0 ? near : prefixes))];
  const ending = names.filter((name) => name.endsWith(`.${unknown}`) || name.endsWith(`-${unknown}`));
  return ending.length > 0 ? ending.slice(0, maxStreams) : similarNames(unknown, names);
};

/** Undefined: the stream exists, or the log cannot be read. */
export const describeUnknownStream = async (
  store: EventStore,
  prefixes: readonly string[],
  stream: string,
): Promise<string | undefined> => {
  const events = await store.read(stream);
  if (isLeft(events) || events.right.length > 0) return undefined;
  return `There is no stream ${stream}.${suggestion(await similarStreams(store, prefixes, stream))}`;
};
