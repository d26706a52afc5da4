/** Follows the issuer's revocations and keeps them in memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isSecureUrl } from '../fetch-json';
import type { RevocableJwksCache } from '../jose/jwks-cache';
import type { RevocationFeed, VerifierOptions } from '../options';
import { noRevocations, type RevocationChecker } from './revocation-checker';
import { createSecurityState } from './security-state';
import { readSecurityState } from './security-state-events';

export interface RevocationFollower {
  readonly revocations: RevocationChecker;
  /** Resolves when the initial state is complete, or after the timeout. */
  readonly first: (milliseconds: number) => Promise<void>;
  readonly close: () => void;
}

const untilTimeout = (revocations: RevocationChecker): RevocationFollower => ({
  revocations,
  first: async () => undefined,
  close: () => undefined,
});

const retryPauseMilliseconds = 1_000;

type KeyRevocations = Pick<RevocableJwksCache, 'revoked'>;

const followRevocations = (
  options: VerifierOptions,
  { token, url }: RevocationFeed,
  keys: KeyRevocations,
): RevocationFollower => {
  const { issuer, fetch: using = fetch, log } = options;
  const state = createSecurityState(Date.now, () => performance.now());
  const closing = new AbortController();
  const { signal } = closing;
  let only: string | null = null;
  const request = { url: url ?? `${issuer}/v1/security/state/stream`, token, fetch: using };
  const run = async (): Promise<void> => {
    const isOpen = (): boolean => !signal.aborted;
    while (isOpen()) {
      try {
        for await (const received of readSecurityState(request, signal)) {
          state.apply(received);
          if (received.kind === 'heartbeat') only = received.tenantId;
          if (received.kind === 'key') keys.revoked(received.subject);
        }
      } catch (error) {
        if (isOpen()) log?.('revocations cannot be followed', { error: String(error) });
      }
      await sleep(retryPauseMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  void run();
  const first = async (milliseconds: number): Promise<void> => {
    const until = performance.now() + milliseconds;
    while (!Number.isFinite(state.stalenessMilliseconds()) && performance.now() < until && !signal.aborted)
      await sleep(20);
  };
  const covers = (tenantId: string): boolean => only === null || only === tenantId;
  return { revocations: { ...state, covers }, first, close: () => closing.abort() };
};

export const openRevocationFeed = (options: VerifierOptions, keys: KeyRevocations): RevocationFollower => {
  const { revocations } = options;
  if (revocations === 'none') return untilTimeout(noRevocations);
  if ('refusal' in revocations) return untilTimeout(revocations);
  if (revocations.url !== undefined && !isSecureUrl(revocations.url))
    throw new TypeError('Revocations must be followed over https, or on this machine.');
  return followRevocations(options, revocations, keys);
};
