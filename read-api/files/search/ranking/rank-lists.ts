/** One order of what the queries found: fused by rank, reranked by the words themselves, with variety among files. */
import { diversify } from './diversify';
import { type FusedItem, fuseRanks, type RankedList } from './fuse';
import { type RankedPassage, type RankedQuery, rerank } from './rerank';

interface ListedChunk extends RankedPassage {
  readonly fileId: string;
  readonly chunkId: string;
  readonly pipelineVersion: number;
}

export const keyOf = ({ chunkId, pipelineVersion }: Pick<ListedChunk, 'chunkId' | 'pipelineVersion'>): string =>
  `${chunkId} ${pipelineVersion}`;

/**
 * Passages whose words are read, which costs more than all else here: no passage further down came among the first ten of any question that was
 * measured.
 */
const mostRead = (topK: number): number => Math.max(60, 2 * topK);

export const rankLists = <Chunk extends ListedChunk>(
  lists: readonly RankedList<Chunk>[],
  query: RankedQuery,
  topK: number,
): readonly FusedItem<Chunk>[] => diversify(rerank(query, fuseRanks(lists, keyOf), mostRead(topK)));
