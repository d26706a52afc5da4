/** Committed operations, done once more. */
import type { Committed } from '../../../domain/editor/log/clients';
import { apply } from '../../../domain/editor/scene/apply';
import type { Content } from './content';
import type { Frame } from './told';

/** What is told of operations costs the tail what it will cost to read it. */
export const noteTail = ({ tail }: Content, operations: readonly string[]): void => {
  tail.operations += operations.length;
  for (const { length } of operations) tail.bytes += length;
};

/** Those that the scene does not have yet. */
export const applyCommitted = (content: Content, { fromVersion, toVersion, operations }: Committed): Frame => {
  const firstVersion = Math.max(fromVersion, content.version + 1);
  const fresh = operations.slice(firstVersion - fromVersion);
  for (const [index, operation] of fresh.entries())
    for (const { id } of apply(content.scene, operation, firstVersion + index)) content.changed.add(id);
  const told = fresh.map((operation) => JSON.stringify(operation));
  content.version = toVersion;
  noteTail(content, told);
  return { kind: 'operations', fromVersion: firstVersion, toVersion, operations: told };
};
