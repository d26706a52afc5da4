/** What the thread that makes snapshots is asked, asks itself, and answers. */
import type { Either } from 'fp-ts/Either';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { TenantId } from '../../../domain/kernel/ids';
import type { PieceBlob, SnapshotFault } from '../../../infra/documents/piece-blobs';
import type { Comparing, DifferencePage } from './difference-pages';
import type { Making } from './making';
import type { Replaying } from './replaying';

export type Work =
  | { readonly kind: 'make'; readonly making: Making }
  | { readonly kind: 'replay'; readonly replaying: Replaying }
  | { readonly kind: 'compare'; readonly comparing: Comparing };

export interface Results {
  readonly make: Snapshot;
  readonly replay: Snapshot;
  readonly compare: DifferencePage;
}

export type Answered<Kind extends Work['kind'] = Work['kind']> = Either<SnapshotFault, Results[Kind]>;

/** Object storage is the process's: it is asked for bytes, and to keep some. */
export type Errand =
  | { readonly kind: 'put'; readonly named: PieceBlob }
  | { readonly kind: 'get'; readonly key: string };

export type ToThread =
  | { readonly kind: 'work'; readonly id: number; readonly tenant: TenantId; readonly work: Work }
  | { readonly kind: 'errand'; readonly id: number; readonly answer: Either<SnapshotFault, Uint8Array | undefined> };

export type FromThread =
  | { readonly kind: 'work'; readonly id: number; readonly answer: Answered }
  | { readonly kind: 'errand'; readonly id: number; readonly errand: Errand };
