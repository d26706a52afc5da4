/** Removes what edges have of a video or one of its generations. Called once object storage has it no more: else edges fetch it again. */
import { type Either, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import { type CallerSigner, openCallerSigner, signingKeyText } from '../http/identity/caller-signer';
import { identityHeader, signCaller } from '../http/identity/identity-header';
import { type ConfigOf, httpUrls, optional } from '../runtime/config';
import type { ServiceContext } from '../runtime/service';
import { purgePath, purgingPrincipal } from './purge-call';

/** Variables of the processes that purge. */
export const purgeVariables = {
  /** Every edge, where it is reached inside of the installation, with commas between. Left out: there is none. */
  EDGE_URL: optional(httpUrls),
  /** Signs the calls; required with EDGE_URL. */
  INTERNAL_SIGNING_KEY: optional(signingKeyText),
};

export interface PurgeCause {
  readonly tenantId: string;
  readonly requestId: string;
}

/** `key` as `Surrogate-Key` of an answer names it. Left: edges may have something of it; repeat the call. */
export type PurgeEdges = (key: string, cause: PurgeCause) => Promise<Either<Fault<'edge-unavailable'>, void>>;

const purgeMilliseconds = 5_000;

export const createPurgeEdges = (urls: readonly string[], signer: CallerSigner): PurgeEdges => {
  const purgeOne = async (url: string, key: string, { tenantId, requestId }: PurgeCause): Promise<boolean> => {
    const target = `${purgePath}?${new URLSearchParams({ key })}`;
    const identity = { ...purgingPrincipal, tenantId, principalType: 'SERVICE', tokenId: purgingPrincipal.principalId };
    const signing = { signer, line: { method: 'POST', target }, now: Date.now() };
    try {
      const answer = await fetch(new URL(target, url), {
        method: 'POST',
        headers: { [identityHeader]: signCaller({ identity, requestId }, signing) },
        signal: AbortSignal.timeout(purgeMilliseconds),
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  };
  return async (key, cause) => {
    const purged = await Promise.all(urls.map((url) => purgeOne(url, key, cause)));
    const missed = purged.filter((isPurged) => !isPurged).length;
    if (missed === 0) return right(undefined);
    return left(fault('edge-unavailable', `${missed} of ${urls.length} edges did not purge.`));
  };
};

export const openPurgeEdges = (
  { EDGE_URL: urls, INTERNAL_SIGNING_KEY: text }: ConfigOf<typeof purgeVariables>,
  { env, log }: Pick<ServiceContext, 'env' | 'log'>,
): PurgeEdges => {
  if (urls === undefined) return async () => right(undefined);
  if (text === undefined) throw new Error('EDGE_URL needs INTERNAL_SIGNING_KEY.');
  return createPurgeEdges(urls.split(','), openCallerSigner({ text, path: env.INTERNAL_SIGNING_KEY_FILE, log }));
};
