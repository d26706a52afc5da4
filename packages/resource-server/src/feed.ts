/** Revocations as the issuer tells them, in memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isSafe } from './fetched';
import type { RevocationFeed, VerifierOptions } from './options';
import { securityState } from './security-state/state';
import { stateSignals } from './state-signals';
import type { FollowedKeyring } from './verification/keyring';
import { noRevocations, type Revocations } from './verification/revocations';

export interface OpenFeed {
  readonly revocations: Revocations;
  /** Resolves when all is known that was recorded so far, or after so long. */
  readonly first: (milliseconds: number) => Promise<void>;
  readonly close: () => void;
}

const still = (revocations: Revocations): OpenFeed => ({
  revocations,
  first: async () => undefined,
  close: () => undefined,
});

const pauseMilliseconds = 1_000;

type Told = Pick<FollowedKeyring, 'revoked'>;

const follow = (options: VerifierOptions, { token, url }: RevocationFeed, keys: Told): OpenFeed => {
  const { issuer, fetch: using = fetch, log } = options;
  const state = securityState(Date.now, () => performance.now());
  const closing = new AbortController();
  const { signal } = closing;
  let only: string | null = null;
  const asked = { url: url ?? `${issuer}/v1/security/state/stream`, token, fetch: using };
  const run = async (): Promise<void> => {
    const isOpen = (): boolean => !signal.aborted;
    while (isOpen()) {
      try {
        for await (const heard of stateSignals(asked, signal)) {
          state.apply(heard);
          if (heard.kind === 'heartbeat') only = heard.tenantId;
          if (heard.kind === 'key') keys.revoked(heard.subject);
        }
      } catch (error) {
        if (isOpen()) log?.('revocations cannot be followed', { error: String(error) });
      }
      await sleep(pauseMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
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

export const openFeed = (options: VerifierOptions, keys: Told): OpenFeed => {
  const { revocations } = options;
  if (revocations === 'none') return still(noRevocations);
  if ('refusal' in revocations) return still(revocations);
  if (revocations.url !== undefined && !isSafe(revocations.url))
    throw new TypeError('Revocations must be followed over https, or on this machine.');
  return follow(options, revocations, keys);
};
