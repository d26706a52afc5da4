/** Statuses that several methods answer. */
import { status } from '@grpc/grpc-js';
import { failure } from './raw-calls';

/** What an unexpected request makes of a real node. */
export const threw = failure(status.UNKNOWN, 'Exception was thrown by handler.');

export const badCombination = failure(
  status.INVALID_ARGUMENT,
  'The combination of (Stream, Count, Forwards, Filter) is invalid.',
);

export const deleted = (stream: string) =>
  failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const wrongDeleteVersion = (stream: string, expected: number, actual: number) =>
  failure(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected),
      'actual-version': String(actual),
    },
  );
