import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/**
 * Posts a form to an address that a tenant named, on the public network only, within limits of time and size. Answers the status; redirects
 * are not followed.
 */
export type RemoteForm = (
  address: string,
  fields: { readonly [name: string]: string },
) => Promise<Either<Fault<'remote-unavailable'>, number>>;
