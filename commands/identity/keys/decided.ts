/** Commands to the keys that came with no request: the platform looks after them by itself, or an operator at its machine. */
import type { Either } from 'fp-ts/Either';
import {
  type SigningKeyCommand,
  type SigningKeyRejection,
  signingKey,
} from '../../../domain/identity/signing-keys/decider';
import type { SigningKeyEvent } from '../../../domain/identity/signing-keys/events';
import { platformTenant, signingKeysStream } from '../../../domain/identity/streams';
import type { Kms, SigningAlgorithm } from '../../../infra/ports/kms';
import type { CommandDeps } from '../../kernel/command-spec';
import { handle } from '../../kernel/handle';
import type { Handled, Refusal } from '../../kernel/request';
import type { RecordedKeys } from './recorded-keys';

export interface KeyDeps extends CommandDeps {
  readonly kms: Kms;
  readonly keys: RecordedKeys;
  /** Of keys that are made. */
  readonly algorithm: SigningAlgorithm;
}

/** Each is another command: that a thing is done once is for the rules to say. */
export const decided = (
  deps: KeyDeps,
  command: SigningKeyCommand,
  actor = 'system:signing-keys',
): Promise<Either<Refusal<SigningKeyRejection>, Handled<SigningKeyEvent>>> => {
  const commandId = deps.random.uuid();
  return handle(deps, signingKey, {
    stream: signingKeysStream,
    command,
    commandId,
    tenant: platformTenant,
    actor,
    correlationId: commandId,
  });
};
