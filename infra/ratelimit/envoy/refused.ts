/** Ends a call with a status; thrown by those who answer, told in one place. */
import type { status } from '@grpc/grpc-js';

export class CallRefused extends Error {
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}
