/** `@septet/resource-server`: who sends a request to a resource of yours, checked where it is. */
export type { Access, Asked, Credentials, Policy } from '../authorize';
export type { ClientCertificate } from '../certificate';
export { certificateInHeader } from '../certificate';
export type { AccessTokenClaims, Confirmation } from '../claims';
export { derivedNonces, type Nonces } from '../dpop-nonce';
export { type Either, isLeft, left, right } from '../either';
export type { Refusal, RefusalCode } from '../refusal';
export { memoryReplay, type Replay, sharedReplay } from '../replay';
export type { RevocableClaims, Revocations } from '../revocations';
export { accessOf, guard, guarded, type Needed, type NeededAndFailed } from './middleware';
export type { RevocationFeed, VerifierOptions } from './options';
export { createVerifier, type Verifier } from './verifier';
