/** `@septet/resource-server/verification`: the single checks, for callers with their own keys and revocations. */

export { checkIssuerAndAudience, checkRevoked, checkTimes } from '../access-token/check-claims';
export type { AccessTokenClaims, ActorClaim } from '../access-token/claims';
export { maxTokenSeconds, priorActorsOf } from '../access-token/claims';
export {
  createHeaderCache,
  createVerifiedTokenCache,
  type VerifiedTokenCache,
  verifyToken,
} from '../access-token/verify-token';
export { derivedNonces } from '../dpop/nonce';
export { createProofKeyCache } from '../dpop/proof';
export { memoryReplayCache, type ReplayCache, sharedReplayCache } from '../dpop/replay-cache';
export { accessTokenHash, type DpopError, type DpopOptions, proofAlgorithms, verifyProof } from '../dpop/verify-proof';
export { parseCompactJws, verifySignature } from '../jose/compact-jws';
export { decodeBase64url, type JsonObject, parseJsonObject } from '../jose/encoding';
export { createJwksCache, type JwksCache, type RevocableJwksCache } from '../jose/jwks-cache';
export { type PublicKey, parsePublicJwk } from '../jose/public-jwk';
export { resourceMetadataPath, resourceMetadataUrl, withResourceMetadata } from '../resource-metadata';
export {
  maxSensitiveStalenessMilliseconds,
  maxStalenessMilliseconds,
  type RevocableClaims,
  type RevocationChecker,
} from '../revocation/revocation-checker';
export type { SecurityChange, SecurityHeartbeat, SecurityKind, SecuritySignal } from '../revocation/security-change';
export { createSecurityState, type SecurityState } from '../revocation/security-state';
export {
  type AccessDenialReason,
  type AccessError,
  insufficientScope,
  invalidToken,
  missingToken,
  revokedToken,
  unavailable,
} from './access-error';
export {
  type AccessCheckRequest,
  type AccessCheckRules,
  checkAccess,
  type PresentedCredentials,
  type VerifiedAccess,
} from './check-access';
export { type ClientCertificate, certificateInHeader, clientCertificateOf } from './client-certificate';
export { checkSenderConstraint, type PresentedToken } from './sender-constraint';
