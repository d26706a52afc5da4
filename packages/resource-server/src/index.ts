/**
 * `@septet/resource-server`: verifies access tokens of Septet where a resource is served. The aliases keep former names until the next
 * major version.
 */

export type { AccessTokenClaims, Confirmation } from './access-token/claims';
export { derivedNonces, type Nonces } from './dpop/nonce';
export {
  memoryReplayCache,
  memoryReplayCache as memoryReplay,
  type ReplayCache,
  type ReplayCache as Replay,
  sharedReplayCache,
  sharedReplayCache as sharedReplay,
} from './dpop/replay-cache';
export {
  accessOf,
  type ProtectOptions,
  type ProtectOptions as NeededAndFailed,
  protectHandler,
  protectHandler as guarded,
  type RequiredAccess,
  type RequiredAccess as Needed,
  requireAccess,
  requireAccess as guard,
} from './middleware';
export type { RevocationFeed, VerifierOptions } from './options';
export type {
  RevocableClaims,
  RevocationChecker,
  RevocationChecker as Revocations,
} from './revocation/revocation-checker';
export type {
  AccessError,
  AccessError as Refusal,
  AccessErrorCode,
  AccessErrorCode as RefusalCode,
} from './verification/access-error';
export type {
  AccessCheckRequest,
  AccessCheckRequest as Asked,
  Policy,
  PresentedCredentials,
  PresentedCredentials as Credentials,
  VerifiedAccess,
  VerifiedAccess as Access,
} from './verification/check-access';
export type { ClientCertificate } from './verification/client-certificate';
export { certificateInHeader } from './verification/client-certificate';
export { type Either, isLeft, left, right } from './verification/either';
export { createVerifier, type Verifier } from './verifier';
