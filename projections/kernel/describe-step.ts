/** An event of an audit in a few lines: when, who, why, and each value of the state that it changed. */
import type { StoredEvent } from '../../infra/ports/event-store';
import type { Step } from './audited';

/** By the name of the field: an audit may have the keys of what is sealed. */
const hidden = /secret|password|seed|totp|hash/i;

/** Paths to the plain values in a state; maps count as objects. */
const leaves = (value: unknown, path = ''): readonly (readonly [string, string])[] => {
  const entries =
    value instanceof Map ? [...value] : typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  if (entries === undefined) return [[path, JSON.stringify(value)]];
  if (entries.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']];
  return entries.flatMap(([key, inner]): readonly (readonly [string, string])[] =>
    hidden.test(String(key)) ? [[`${path}/${key}`, '[hidden]']] : leaves(inner, `${path}/${key}`),
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

export const describeStep = (
  { revision, position, type }: StoredEvent,
  { facts, before, after }: Step,
): readonly string[] => [
  `${revision}  ${facts.occurredAt}  ${type}  by ${facts.actor}  position ${position}`,
  `    because of ${facts.causationId}, command ${facts.commandId}, correlation ${facts.correlationId}`,
  ...differences(before, after),
];
