/** `@septet/resource-server`: verifies access tokens of Septet where a resource is served. */

export type { AccessTokenClaims, ActorClaim, Confirmation } from './access-token/claims';
export { derivedNonces, type Nonces } from './dpop/nonce';
export {
  memoryReplayCache,
  type ReplayCache,
  sharedReplayCache,
} from './dpop/replay-cache';
export {
  accessOf,
  type ProtectOptions,
  protectHandler,
  type RequiredAccess,
  requireAccess,
  serveResourceMetadata,
} from './middleware';
export type { ResourceDescription, RevocationFeed, VerifierOptions } from './options';
export type { ResourceMetadata } from './resource-metadata';
export type {
  RevocableClaims,
  RevocationChecker,
} from './revocation/revocation-checker';
export type {
  AccessError,
  AccessErrorCode,
} from './verification/access-error';
export type {
  AccessCheckRequest,
  Policy,
  PresentedCredentials,
  VerifiedAccess,
} from './verification/check-access';
export type { ClientCertificate } from './verification/client-certificate';
export { certificateInHeader } from './verification/client-certificate';
export { type Either, isLeft, left, right } from './verification/either';
export { createVerifier, type Verifier } from './verifier';
