/** Hash and id of a chunk. The same content at the same place of a version is the same chunk. */
import type { ChunkId, VersionId } from '../../ids';
import type { Anchor } from '../anchor';

/** Hexadecimal, of the text in UTF-8. */
export type Sha256Of = (text: string) => string;

/** Keys in the order of their names, whatever order they were made in. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
};

export const hashOfChunk = (
  sha256: Sha256Of,
  { versionId, content, anchor }: { readonly versionId: VersionId; readonly content: string; readonly anchor: Anchor },
): string => sha256(canonicalJson([versionId, content, anchor]));

export const chunkIdOf = (chunkHash: string): ChunkId => chunkHash.slice(0, 32) as ChunkId;
