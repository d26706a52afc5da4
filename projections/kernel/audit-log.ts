/** Refolds recorded events, reports the first damage, and formats the state change of each event. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { AuditedAggregate, AuditStep } from './audited-aggregate';
import { type PoisonEvent, poisonEvent } from './recorded-event';

export type LogDamage = PoisonEvent;

interface StreamProgress {
  readonly revision: number;
  readonly state: unknown;
}

interface AuditProgress {
  readonly streams: Map<string, StreamProgress>;
  position: bigint | null;
}

/** Streams may have lost their beginning to retention, so density counts from the first event that is seen. */
const outOfOrder = ({ streams, position }: AuditProgress, stored: StoredEvent): string | undefined => {
  const before = streams.get(stored.stream);
  if (before !== undefined && stored.revision !== before.revision + 1)
    return `The revision before it is ${before.revision}: events are missing or doubled.`;
  if (position !== null && stored.position <= position) return `Its position is not after ${position}.`;
  return undefined;
};

/** One call per event, in the log's order or in a stream's. */
export const createAuditor = (aggregates: readonly AuditedAggregate[]) => {
  const walk: AuditProgress = { streams: new Map(), position: null };
  return (stored: StoredEvent): Either<LogDamage, AuditStep> => {
    const disorder = outOfOrder(walk, stored);
    if (disorder !== undefined) return poisonEvent(stored, disorder);
    const aggregate = aggregates.find(({ prefix }) => stored.stream.startsWith(prefix));
    if (aggregate === undefined) return poisonEvent(stored, 'No aggregate has such streams.');
    const before = walk.streams.get(stored.stream);
    const step = aggregate.step(before === undefined ? aggregate.initial : before.state, stored);
    if (isLeft(step)) return step;
    walk.streams.set(stored.stream, { revision: stored.revision, state: step.right.after });
    walk.position = stored.position;
    return step;
  };
};

/** By the name of the field: an audit may have the keys of what is sealed. */
const hiddenValue = /secret|password|seed|totp|hash/i;

/** Paths to the plain values in a state; maps count as objects. */
const leaves = (value: unknown, path = ''): readonly (readonly [string, string])[] => {
  const entries =
    value instanceof Map ? [...value] : typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  if (entries === undefined) return [[path, JSON.stringify(value)]];
  if (entries.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']];
  return entries.flatMap(([key, inner]): readonly (readonly [string, string])[] =>
    hiddenValue.test(String(key)) ? [[`${path}/${key}`, '[hidden]']] : leaves(inner, `${path}/${key}`),
  );
};

const differences = (before: unknown, after: unknown): readonly string[] => {
  const [was, is] = [new Map(leaves(before)), new Map(leaves(after))];
  const gone = [...was].filter(([path]) => !is.has(path)).map(([path, value]) => `    - ${path} ${value}`);
  const come = [...is].flatMap(([path, value]) => {
    const earlier = was.get(path);
    if (earlier === value) return [];
    return [earlier === undefined ? `    + ${path} ${value}` : `    ~ ${path} ${earlier} -> ${value}`];
  });
  return [...gone, ...come];
};

export const formatAuditEntry = (
  { revision, position, type }: StoredEvent,
  { facts, before, after }: AuditStep,
): readonly string[] => [
  `${revision}  ${facts.occurredAt}  ${type}  by ${facts.actor}  position ${position}`,
  `    because of ${facts.causationId}, command ${facts.commandId}, correlation ${facts.correlationId}`,
  ...differences(before, after),
];
