import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** JSON at an address that a stranger named: fetched from the public network only, within limits of time and size. */
export type RemoteJson = (address: string) => Promise<Either<Fault<'remote-unavailable'>, unknown>>;
