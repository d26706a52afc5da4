/** A workflow file as a tree whose every value knows its line and column. Aliases are resolved. */
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';

/** Lines and columns from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface ScalarNode extends Place {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** Where each `${{` of the value stands, in their order. */
  readonly expressionPlaces: readonly Place[];
}

export interface SequenceNode extends Place {
  readonly kind: 'sequence';
  readonly items: readonly FileNode[];
}

export interface MappingEntry extends Place {
  readonly key: string;
  readonly value: FileNode;
}

export interface MappingNode extends Place {
  readonly kind: 'mapping';
  readonly entries: readonly MappingEntry[];
}

export type FileNode = ScalarNode | SequenceNode | MappingNode;

const longestMessage = 1_000;

export const problemAt = (place: Place | undefined, message: string): DefinitionProblem => ({
  message: message.length > longestMessage ? `${message.slice(0, longestMessage - 1)}…` : message,
  line: place?.line ?? null,
  column: place?.column ?? null,
});

export const entryOf = (node: FileNode | undefined, key: string): MappingEntry | undefined =>
  node?.kind === 'mapping' ? node.entries.find((entry) => entry.key === key) : undefined;

export const childOf = (node: FileNode | undefined, key: string): FileNode | undefined => entryOf(node, key)?.value;

export const entriesOf = (node: FileNode | undefined): readonly MappingEntry[] =>
  node?.kind === 'mapping' ? node.entries : [];

export const isNull = (node: FileNode | undefined): boolean =>
  node === undefined || (node.kind === 'scalar' && node.value === null);

/** A scalar's text, as GitHub coerces it; undefined for lists and mappings. */
export const textOf = (node: FileNode | undefined): string | undefined =>
  node?.kind === 'scalar' ? String(node.value ?? '') : undefined;

/** One scalar stands for a list of one. */
export const listOf = (node: FileNode | undefined): readonly FileNode[] => {
  if (node === undefined || isNull(node)) return [];
  return node.kind === 'sequence' ? node.items : [node];
};
