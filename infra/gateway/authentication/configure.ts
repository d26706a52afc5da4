/** Builds the access check and ext_authz from configuration. */
import { createSecretKey } from 'node:crypto';
import {
  createHeaderCache,
  createProofKeyCache,
  createVerifiedTokenCache,
  type DpopOptions,
  derivedNonces,
  type JwksCache,
  memoryReplayCache,
  type RevocationChecker,
  resourceMetadataUrl,
  sharedReplayCache,
} from '../../../packages/resource-server/src/verification/index';
import type { ReplayCache } from '../../ports/identity/replay-cache';
import { ownOrigins } from '../../server/http/identity/own-origins';
import type { GatewayContext } from '../config';
import { createExtAuthz, type ExtAuthz, type ExtAuthzOptions } from '../ext-authz';
import type { Authentication } from './authenticate';
import { createCertificateReader } from './client-certificate';

export interface AuthenticationSources {
  readonly keys: JwksCache;
  readonly revocations: RevocationChecker;
  /** Replay cache shared by all gateways; undefined for a single gateway. */
  readonly replayCache: ReplayCache | undefined;
}

/** Logs that replay detection is local only while the shared store is unavailable. */
const dpopOptions = ({ config, context }: GatewayContext, replayCache: ReplayCache | undefined): DpopOptions => {
  const unshared = context.metrics.counter({
    name: 'gateway_proofs_unshared_total',
    help: 'Proofs of possession recorded only by this gateway, because the shared store did not answer.',
  });
  return {
    replay: replayCache === undefined ? memoryReplayCache() : sharedReplayCache(replayCache, unshared),
    nonces: derivedNonces(createSecretKey(Buffer.from(config.DPOP_NONCE_KEY))),
    nonceOptional: config.DPOP_NONCE === 'optional',
    keys: createProofKeyCache(),
  };
};

export const openAuthentication = (
  opened: GatewayContext,
  { keys, revocations, replayCache }: AuthenticationSources,
): Authentication => {
  const { ISSUER: issuer, AUDIENCE: audience, PUBLIC_URL: publicUrl } = opened.config;
  return {
    keys,
    verifiedTokens: createVerifiedTokenCache(),
    headers: createHeaderCache(),
    revocations,
    proofs: dpopOptions(opened, replayCache),
    issuer,
    audience,
    origin: new URL(publicUrl).origin,
    origins: ownOrigins(publicUrl),
    resourceMetadata: resourceMetadataUrl(issuer),
    certificateOf: createCertificateReader(opened.config.TRUSTED_PROXIES),
    now: Date.now,
  };
};

export const openExtAuthz = (
  { config }: GatewayContext,
  parts: Pick<ExtAuthzOptions, 'authentication' | 'rateLimit' | 'authEvents' | 'checkPolicy'>,
): ExtAuthz | undefined => {
  const { EXT_AUTHZ_PEERS: peers, EXT_AUTHZ_PATH: prefix, EXT_AUTHZ_AUDIENCES: named, AUDIENCE: own } = config;
  const audiences = named.length === 0 ? [own] : named;
  return peers.length === 0 ? undefined : createExtAuthz({ ...parts, peers, prefix, audiences });
};
