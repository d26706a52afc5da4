/** Renews a lease until it is released, and signals its loss at once. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Lease, LeaseFault, Leases } from '../../../infra/ports/processes/leases';
import { pause } from '../../../infra/server/runtime/backoff';

export interface RenewedLease extends Lease {
  readonly lost: AbortSignal;
  /** Compares with the clock: after a pause of the whole process, `lost` may not have aborted yet. */
  readonly isValid: () => boolean;
  readonly release: () => Promise<void>;
}

/** Monotonic time, counted from before each request, so it never ends later than the lease in the store. */
interface LeaseTerm {
  until: number;
}

type RenewalResult = 'yes' | 'no' | 'unknown';

const renewOnce = async (
  leases: Leases,
  lease: Lease,
  { term, milliseconds }: RenewalOptions,
): Promise<RenewalResult> => {
  const sentAt = performance.now();
  const late = new AbortController();
  const tooLate = pause(term.until - sentAt, late.signal).then((): RenewalResult => 'no');
  const answer = leases.renew(lease, milliseconds).then((renewed): RenewalResult => {
    if (isLeft(renewed)) return 'unknown';
    return renewed.right ? 'yes' : 'no';
  });
  const renewed = await Promise.race([answer, tooLate]);
  late.abort();
  if (renewed === 'yes') term.until = sentAt + milliseconds;
  return renewed;
};

interface RenewalOptions {
  readonly term: LeaseTerm;
  readonly milliseconds: number;
}

const startRenewal = (leases: Leases, lease: Lease, { term, milliseconds }: RenewalOptions): RenewedLease => {
  const lost = new AbortController();
  const ended = new AbortController();
  const renew = async (): Promise<void> => {
    for (let wait = milliseconds / 3; ; ) {
      await pause(Math.min(wait, term.until - performance.now()), ended.signal);
      if (ended.signal.aborted) return;
      const renewed = await renewOnce(leases, lease, { term, milliseconds });
      if (renewed === 'no' || performance.now() >= term.until) return lost.abort();
      wait = renewed === 'yes' ? milliseconds / 3 : milliseconds / 20;
    }
  };
  const renewing = renew();
  return {
    ...lease,
    lost: lost.signal,
    isValid: () => !lost.signal.aborted && !ended.signal.aborted && performance.now() < term.until,
    release: async () => {
      ended.abort();
      await renewing;
      await leases.release(lease);
    },
  };
};

/** Undefined while another instance holds it. */
export const acquireAndRenew = async (
  leases: Leases,
  name: string,
  milliseconds: number,
): Promise<Either<LeaseFault, RenewedLease | undefined>> => {
  const sentAt = performance.now();
  const acquired = await leases.acquire(name, milliseconds);
  if (isLeft(acquired)) return acquired;
  const lease = acquired.right;
  return right(lease && startRenewal(leases, lease, { term: { until: sentAt + milliseconds }, milliseconds }));
};
