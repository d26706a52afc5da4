/** `@septet/resource-server`: who sends a request to a resource of yours, checked where it is. */

export { accessOf, guard, guarded, type Needed, type NeededAndFailed } from './middleware';
export type { RevocationFeed, VerifierOptions } from './options';
export type { Access, Asked, Credentials, Policy } from './verification/authorize';
export type { ClientCertificate } from './verification/certificate';
export { certificateInHeader } from './verification/certificate';
export type { AccessTokenClaims, Confirmation } from './verification/claims';
export { derivedNonces, type Nonces } from './verification/dpop-nonce';
export { type Either, isLeft, left, right } from './verification/either';
export type { Refusal, RefusalCode } from './verification/refusal';
export { memoryReplay, type Replay, sharedReplay } from './verification/replay';
export type { RevocableClaims, Revocations } from './verification/revocations';
export { createVerifier, type Verifier } from './verifier';
