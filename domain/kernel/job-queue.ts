/** A work queue as both of its sides know it: processes enqueue jobs to it, workers perform them. */
import type * as t from 'io-ts';

export interface JobQueue<Payload> {
  readonly name: string;
  /** Also decodes what older versions enqueued: jobs wait in the store, and processes remember the jobs that they enqueued. */
  readonly payload: t.Type<Payload, unknown>;
}
