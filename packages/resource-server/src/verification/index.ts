/** `@septet/resource-server/verification`: the checks themselves, for who has keys, revocations and answers of its own. */
export type { SecurityChange, SecurityHeartbeat, SecurityKind, SecuritySignal } from '../security-state/change';
export { type SecurityState, securityState } from '../security-state/state';
export { type Access, type Asked, authorize, type Checks, type Credentials } from './authorize';
export { bytesOf } from './base64url';
export { type ClientCertificate, certificateInHeader, certificateOf } from './certificate';
export { misdirected, revoked, untimely } from './checks';
export type { AccessTokenClaims } from './claims';
export { athOf, type ProofRefusal, type ProofRules, proofAlgorithms, verifyProof } from './dpop';
export { keptProofKeys } from './dpop-header';
export { derivedNonces } from './dpop-nonce';
export { type KeptTokens, keptTokens } from './kept-tokens';
export { type FollowedKeyring, type Keyring, keyring } from './keyring';
export { type Members, membersOf } from './members';
export { type PublicKey, publicKeyOf } from './public-key';
export {
  insufficientScope,
  invalidToken,
  missingToken,
  type Refusal,
  revokedToken,
  unavailable,
} from './refusal';
export { memoryReplay, type Replay, sharedReplay } from './replay';
export {
  longestSensitiveMilliseconds,
  longestStalenessMilliseconds,
  type RevocableClaims,
  type Revocations,
} from './revocations';
export { type Sent, unbound } from './sender';
export { fits, signedOf } from './signed';
export { longestTokenSeconds } from './times';
export { verifyToken } from './token';
export { knownHeaders } from './token-header';
