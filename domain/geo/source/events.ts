/** The writers of a source. */
import { listOf } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { SourceName } from '../place/place';

export const SourceWriters = listOf('SourceWriters', PrincipalId, 100);

export const sources = aggregate(
  { context: 'geo', name: 'source' },
  {
    /** Only these principals may send changes and files as the source. */
    SourceReserved: { v: 1, data: { source: SourceName, writers: SourceWriters } },
    /** Every writer of places may write as the source. */
    SourceOpened: { v: 1, data: { source: SourceName } },
  },
);
export type SourceEvent = typeof sources.Event;

/** By the source's name, which may have dots. */
export const { stream: sourceStream } = sources;
