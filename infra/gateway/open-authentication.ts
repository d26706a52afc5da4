/** The checks of requests, with what this gateway knows and is told. */
import { createSecretKey } from 'node:crypto';
import {
  derivedNonces,
  type Keyring,
  keptProofKeys,
  keptTokens,
  knownHeaders,
  memoryReplay,
  type ProofRules,
  type Revocations,
  sharedReplay,
} from '../../packages/resource-server/src/verification/index';
import { ownOrigins } from '../http/origins';
import type { Once } from '../ports/once';
import type { Authentication } from './authenticate';
import { certificates } from './certificates';
import { type ExtAuthz, extAuthz } from './ext-authz';
import type { Opened } from './opened';
import type { RateLimit } from './rate-limit';

export interface Known {
  readonly keys: Keyring;
  readonly revocations: Revocations;
  /** Proofs that were shown, at whichever gateway; undefined where there is one only. */
  readonly shown: Once | undefined;
}

/** Proofs are still refused a second time while the store is away: here, not everywhere. Operators should see that. */
const proofRules = ({ config, context }: Opened, shown: Once | undefined): ProofRules => {
  const unshared = context.metrics.counter({
    name: 'gateway_proofs_unshared_total',
    help: 'Proofs of possession that only this gateway remembers, as the store that all share did not answer.',
  });
  return {
    replay: shown === undefined ? memoryReplay() : sharedReplay(shown, unshared),
    nonces: derivedNonces(createSecretKey(Buffer.from(config.DPOP_NONCE_KEY))),
    nonceOptional: config.DPOP_NONCE === 'optional',
    keys: keptProofKeys(),
  };
};

export const openAuthentication = (opened: Opened, { keys, revocations, shown }: Known): Authentication => {
  const { ISSUER: issuer, AUDIENCE: audience, PUBLIC_URL: publicUrl } = opened.config;
  return {
    keys,
    kept: keptTokens(),
    headers: knownHeaders(),
    revocations,
    proofs: proofRules(opened, shown),
    issuer,
    audience,
    origin: new URL(publicUrl).origin,
    origins: ownOrigins(publicUrl),
    certificateOf: certificates(opened.config.TRUSTED_PROXIES),
    now: Date.now,
  };
};

export const openExtAuthz = (
  { config }: Opened,
  authentication: Authentication,
  rateLimit: RateLimit | undefined,
): ExtAuthz | undefined => {
  const { EXT_AUTHZ_PEERS: peers, EXT_AUTHZ_PATH: prefix, EXT_AUTHZ_AUDIENCES: named, AUDIENCE: own } = config;
  const audiences = named.length === 0 ? [own] : named;
  return peers.length === 0 ? undefined : extAuthz({ authentication, peers, prefix, audiences, rateLimit });
};
