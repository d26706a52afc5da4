import { type Either, left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { KmsFault } from '../../ports/kms';

export const unavailable = (detail: string): KmsFault => fault('signing-unavailable', detail);

export const noSuchKey = (): Either<KmsFault, never> => left(unavailable('There is no signing key of this id.'));

/** Key names become file names and object labels. */
export const nameShape = /^[A-Za-z0-9_-]{1,64}$/;
