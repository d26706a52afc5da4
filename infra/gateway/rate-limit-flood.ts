/** Answers requests of a place that fails too often: as its limit says, whatever was asked. */
import type { ServerResponse } from 'node:http';
import type { DenialResponse } from '../../packages/ratelimit/src/index';
import type { Upgrading } from '../http/upgrade';
import type { DoorFigures } from './figures';
import { answerLimited, refuseUpgradeBy } from './rate-limit-door';
import type { Failures } from './rate-limit-failures';

export interface Flooded {
  readonly failures?: Failures | undefined;
  readonly figures: Pick<DoorFigures, 'decided'>;
}

const answer = ({ figures }: Flooded, response: ServerResponse, refusal: DenialResponse | undefined): boolean => {
  if (refusal === undefined) return false;
  figures.decided('refused', 'rate-limited');
  answerLimited(response, refusal);
  return true;
};

/** Answers whether it was answered: before anything is done for it. */
export const refuseFlood = (door: Flooded, response: ServerResponse): boolean =>
  answer(door, response, door.failures?.ahead(response.req));

/** The same in place of a refusal of ours, of whoever was let through so far. */
export const refuseFailure = (door: Flooded, response: ServerResponse, status: number): boolean =>
  status < 500 && answer(door, response, door.failures?.over(response.req));

export const refuseUpgradeFlood = ({ figures, failures }: Flooded, upgrading: Upgrading): boolean => {
  const refusal = failures?.ahead(upgrading.request);
  if (refusal === undefined) return false;
  figures.decided('refused', 'rate-limited');
  refuseUpgradeBy(upgrading, refusal);
  return true;
};
