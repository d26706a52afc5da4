/** Replies of the views' scripts, and failures as faults. */
import type { Either } from 'fp-ts/Either';
import type { Generation, ViewFault } from '../../../ports/views/view-store';
import { unavailable } from '../../views/view-faults';

export type GenerationReply = readonly [number: string, version: string, position: string];

export const generationOf = (reply: GenerationReply): Generation => {
  const [number, version, position] = reply;
  return {
    number: Number(number),
    version: Number(version),
    position: position === '' ? null : BigInt(position),
  };
};

export const attempt = async <A, F>(work: () => Promise<Either<F, A>>): Promise<Either<F | ViewFault, A>> => {
  try {
    return await work();
  } catch (error) {
    const isFull = error instanceof Error && error.message.startsWith('OOM');
    return unavailable(isFull ? 'Redis has no memory left for the view.' : 'Redis does not answer.');
  }
};
