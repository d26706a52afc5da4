/** Why an export or import failed, in words for the user. */
import { type ServiceError, status } from '@grpc/grpc-js';

/** A fault of the file or the target, with its location; any other thrown error is a defect or a call's status. */
export class TransferError extends Error {}

const maxNameLength = 200;

/** A stream's name, printable in a message. */
export const quoteStreamName = (stream: Buffer): string =>
  JSON.stringify(stream.toString('utf8').slice(0, maxNameLength));

const messagesByStatus: Readonly<Partial<Record<number, string>>> = {
  [status.UNAVAILABLE]: 'The event store cannot be reached, or takes no calls now',
  [status.DEADLINE_EXCEEDED]: 'The event store does not answer in time',
  [status.UNAUTHENTICATED]: 'The event store does not know these credentials',
  [status.PERMISSION_DENIED]: 'The event store refuses access; the log as a whole is for administrators',
  [status.UNIMPLEMENTED]: 'The event store is too old for this',
  [status.DATA_LOSS]: 'The event store has found damage',
};

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error;

export const describeError = (error: unknown): string => {
  if (error instanceof TransferError) return error.message;
  if (!isServiceError(error)) return error instanceof Error ? error.message : String(error);
  const message = messagesByStatus[error.code] ?? 'The event store has ended the call';
  return error.details === '' ? `${message}.` : `${message}: ${error.details}`;
};
