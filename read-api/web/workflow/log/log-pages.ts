/** Pages of a log's chunks as the page of a job opens it. The API reads forwards alone, so the first page is the whole log. */
import { readJobLog } from '../../../../packages/client/src/operations';
import { type Answer, read } from '../../kernel/api-client';
import { type LogChunk, lineCounter } from './log-chunk';

export interface LogPage {
  readonly attempt: number;
  readonly chunks: readonly LogChunk[];
  readonly nextOffset: number;
  /** The page before this one ends there; null at the begin of the log. */
  readonly previousOffset: number | null;
}

interface Wanted {
  readonly jobId: string;
  /** Undefined: the latest that a runner has had. */
  readonly attempt?: number | undefined;
}

export const readLastPage = async ({ jobId, attempt }: Wanted, signal: AbortSignal): Promise<Answer<LogPage>> => {
  const chunks: LogChunk[] = [];
  const count = lineCounter();
  for (let [of, next] = [attempt, 0]; ; ) {
    const answer = await read(
      readJobLog({ jobId, fromOffset: next, ...(of === undefined ? {} : { attempt: of }) }),
      signal,
    );
    if (!answer.ok) return answer;
    const { content } = answer;
    chunks.push(...content.chunks.map(count));
    [of, next] = [content.attempt, content.nextOffset];
    if (content.complete || content.chunks.length === 0)
      return { ok: true, content: { attempt: content.attempt, chunks, nextOffset: next, previousOffset: null } };
  }
};
