/** A program that sends batches by requests, and what it knows. */
import type { ClientId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { client } from '../../document-owner/fixture';
import { place } from './world';

export interface Program {
  readonly userId: string;
  readonly schemaVersion: number;
  /** From the first answer, where requests omit it. */
  clientId: ClientId | undefined;
  readonly omitsClientId: boolean;
  lastClientSeq: number;
  made: number;
  /** Not answered yet. */
  batch: readonly Operation[];
  isSending: boolean;
}

export const programOf = (userId: string, more: Pick<Program, 'schemaVersion' | 'omitsClientId'>): Program => ({
  userId,
  ...more,
  clientId: undefined,
  lastClientSeq: 0,
  made: 0,
  batch: [],
  isSending: false,
  ...(more.omitsClientId ? {} : { clientId: client(userId, userId, place) }),
});
