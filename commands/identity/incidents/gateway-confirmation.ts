/** Evidence that gateways refuse what an incident ended. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { GatewayPosition, GatewayPositions } from '../../../infra/ports/identity/gateway-positions';

/**
 * A gateway that does not know the log's newest position refuses all requests a minute later; with a margin for its clock. One that has not
 * reported for so long is gone, or refuses everything.
 */
const refusalMilliseconds = 70_000;

export type Confirmation =
  | { readonly kind: 'confirmed'; readonly gateways: number }
  /** No report is needed any longer. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'waiting'; readonly detail: string };

export const confirmationOf = (
  positions: readonly GatewayPosition[] | undefined,
  sequence: bigint,
  sinceMilliseconds: number,
): Confirmation => {
  if (positions !== undefined && positions.length > 0) {
    const behind = positions.filter((one) => one.sequence < sequence).length;
    if (behind === 0) return { kind: 'confirmed', gateways: positions.length };
    if (sinceMilliseconds < refusalMilliseconds)
      return { kind: 'waiting', detail: `${behind} of ${positions.length} gateways have not confirmed.` };
  }
  if (sinceMilliseconds >= refusalMilliseconds) return { kind: 'expired' };
  return { kind: 'waiting', detail: 'No gateway has reported its position.' };
};

const words = (confirmation: Exclude<Confirmation, { kind: 'waiting' }>): string =>
  confirmation.kind === 'confirmed'
    ? `All gateways have confirmed: ${confirmation.gateways}.`
    : 'A gateway that has not confirmed refuses all requests by now.';

export interface ConfirmationRequest {
  readonly sequence: bigint;
  /** Since the position was recorded. */
  readonly age: () => number;
  readonly pause: () => Promise<boolean>;
}

/** Right: what is proved, in words. Left: not yet, and `pause` answered false. */
export const awaitConfirmation = async (
  gateways: Pick<GatewayPositions, 'reportedWithin'> | undefined,
  { sequence, age, pause }: ConfirmationRequest,
): Promise<Either<string, string>> => {
  for (;;) {
    const found = gateways === undefined ? undefined : await gateways.reportedWithin(refusalMilliseconds);
    const positions = found === undefined || isLeft(found) ? undefined : found.right;
    const confirmation = confirmationOf(positions, sequence, age());
    if (confirmation.kind !== 'waiting') return right(words(confirmation));
    if (!(await pause())) return left(confirmation.detail);
  }
};
