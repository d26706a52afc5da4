/** What the client and its calls fail with, as faults of the port. When in doubt an append is ambiguous. */
import { ErrorType } from '@eventstore/db-client';
import { Metadata, status } from '@grpc/grpc-js';
import { fault } from '../../../domain/kernel/rejection';
import type { EventStoreFault } from '../../ports/event-store';

export const unavailable = (detail = 'The log cannot be reached right now.'): EventStoreFault =>
  fault('event-store-unavailable', detail);

export const ambiguous = (): EventStoreFault =>
  fault('event-store-ambiguous', 'The log did not answer; the change may or may not be recorded.');

export const refused = (detail: string): EventStoreFault => fault('event-refused', detail);

/** The connection was never made, so nothing can have been written. */
const neverSent = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|No connection established|Name resolution failed/;

const typeOf = (error: unknown): string => (error instanceof Error && 'type' in error ? String(error.type) : '');
const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined);
const exceptionOf = (error: Error): unknown =>
  'metadata' in error && error.metadata instanceof Metadata ? error.metadata.get('exception')[0] : undefined;

/** For every append that waited on a call when the whole call ended. */
export const callFault = (error: Error): EventStoreFault => {
  const code = codeOf(error);
  if (exceptionOf(error) === 'not-leader') return unavailable('The log is choosing another leader.');
  if (code === status.PERMISSION_DENIED || code === status.UNAUTHENTICATED)
    return refused('The event store refuses access.');
  if (code === status.UNIMPLEMENTED) return refused('The event store is too old for batch appends.');
  return neverSent.test(error.message) ? unavailable() : ambiguous();
};

/** There is no such stream, or it was ended: nothing to read. */
export const isStreamMissing = (error: unknown): boolean =>
  typeOf(error) === ErrorType.STREAM_NOT_FOUND ||
  typeOf(error) === ErrorType.STREAM_DELETED ||
  // The detail of our own calls.
  (error instanceof Error && exceptionOf(error) === 'stream-deleted');
