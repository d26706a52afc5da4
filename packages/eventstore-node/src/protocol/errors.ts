/** gRPC statuses and trailers as EventStoreDB sends them. */
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { CorruptRecordError } from '../storage/records/read-record';

/** Ends a call with a status. Handlers throw it, and one place answers it. */
export class CallError extends Error {
  readonly code: status;
  readonly trailers: Readonly<Record<string, string>>;
  constructor(code: status, message: string, trailers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.trailers = trailers;
  }
}

/**
 * Header values are ASCII, so other characters are percent-encoded; Kestrel, EventStoreDB's server, cannot send them
 * either.
 */
const headerText = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e]+/gu, (run) => encodeURIComponent(run.toWellFormed()));

export const streamDeleted = (stream: Buffer): CallError => {
  const name = stream.toString('utf8');
  return new CallError(status.FAILED_PRECONDITION, `Event stream '${name}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': name,
  });
};

export const wrongExpectedVersion = (stream: Buffer, expected: number, actual: number): CallError => {
  const name = stream.toString('utf8');
  return new CallError(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${name}, Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': name,
      'expected-version': String(expected),
      'actual-version': String(actual),
    },
  );
};

export const maxAppendBytes = 1_048_576;
export const appendTooLarge = (): CallError =>
  new CallError(status.INVALID_ARGUMENT, `Maximum Append Size of ${maxAppendBytes} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(maxAppendBytes),
  });

export const missingMetadata = (property: string): CallError =>
  new CallError(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

export const accessDenied = (): CallError =>
  new CallError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
export const unauthenticated = (): CallError => new CallError(status.UNAUTHENTICATED, 'Unauthenticated');

export const invalidArgument = (message: string): CallError => new CallError(status.INVALID_ARGUMENT, message);
/** What EventStoreDB answers when its handler throws. */
export const handlerFailed = (message = 'Exception was thrown by handler.'): CallError =>
  new CallError(status.UNKNOWN, message);
/** The disk refused the write: nothing was written. */
export const writeRefused = (reason: string): CallError =>
  new CallError(status.UNAVAILABLE, `The write was refused and nothing of it is stored: ${reason}`);

export const toServiceError = (error: unknown): Partial<ServiceError> => {
  const metadata = new Metadata();
  if (error instanceof CorruptRecordError) return { code: status.DATA_LOSS, details: error.message, metadata };
  const ended = error instanceof CallError ? error : handlerFailed();
  for (const [key, value] of Object.entries(ended.trailers)) metadata.set(key, headerText(value));
  return { code: ended.code, details: headerText(ended.message), metadata };
};
