import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export interface RemoteDocument {
  readonly content: unknown;
  /** By its headers; null: they contain none. */
  readonly freshSeconds: number | null;
}

/** As `RemoteJson`, with how long the answer may be kept (RFC 9111). */
export type FetchRemoteDocument = (address: string) => Promise<Either<Fault<'remote-unavailable'>, RemoteDocument>>;
