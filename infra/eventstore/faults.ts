/** What the client throws, as faults of the port. */
import { type CommandError, ErrorType } from '@eventstore/db-client';
import { fault } from '../../domain/kernel/rejection';
import type { EventStoreFault, WrongRevision } from '../ports/event-store';

const refusedForGood = new Set<string>([
  ErrorType.STREAM_DELETED,
  ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
  ErrorType.ACCESS_DENIED,
  ErrorType.MISSING_REQUIRED_METADATA_PROPERTY,
  ErrorType.INVALID_ARGUMENT,
]);

/** The connection was never made, so nothing can have been written. */
const neverSent = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|No connection established|Name resolution failed/;

const typeOf = (error: unknown): string => (error instanceof Error && 'type' in error ? String(error.type) : '');
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const unavailable = (): EventStoreFault =>
  fault('event-store-unavailable', 'The event store cannot be reached right now.');

export const ambiguous = (): EventStoreFault =>
  fault('event-store-ambiguous', 'The event store did not answer; the change may or may not be recorded.');

const actualRevision = (error: object): number | null =>
  'actualVersion' in error && typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : null;

export const appendFault = (error: unknown): EventStoreFault | WrongRevision => {
  const type = typeOf(error);
  if (type === ErrorType.WRONG_EXPECTED_VERSION)
    return { kind: 'wrong-revision', revision: actualRevision(error as CommandError) };
  if (refusedForGood.has(type)) return fault('event-refused', 'The event store refuses this change for good.');
  return neverSent.test(textOf(error)) ? unavailable() : ambiguous();
};

/** There is no such stream, or it was ended: nothing to read. */
export const isNothing = (error: unknown): boolean =>
  typeOf(error) === ErrorType.STREAM_NOT_FOUND || typeOf(error) === ErrorType.STREAM_DELETED;
