/** An import is created, its file uploaded, started, and advances until it ends. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ImportId } from '../ids';
import {
  type ImportDefinition,
  type ImportEvent,
  type ImportProgress,
  imports,
  mostRefusals,
  type Refusal,
} from './events';

interface Named {
  readonly importId: ImportId;
}
export type ImportCommand =
  | (Named & { readonly type: 'CreateImport'; readonly definition: ImportDefinition })
  | (Named & { readonly type: 'StartImport'; readonly etag: string })
  | (Named & {
      readonly type: 'AdvanceImport';
      readonly progress: ImportProgress;
      readonly refusals: readonly Refusal[];
    })
  | (Named & { readonly type: 'CompleteImport' })
  | (Named & { readonly type: 'FailImport'; readonly reason: string })
  | (Named & { readonly type: 'CancelImport' });

interface Defined {
  readonly definition: ImportDefinition;
}
export type ImportState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'created' } & Defined)
  | ({
      readonly kind: 'running';
      readonly etag: string;
      readonly progress: ImportProgress;
      readonly listed: number;
    } & Defined)
  | ({ readonly kind: 'completed' | 'failed' | 'cancelled' } & Defined);

export type ImportRejection = 'import-unknown' | 'import-not-started' | 'import-ended';

const noProgress: ImportProgress = { lines: 0, recorded: 0, unchanged: 0, outdated: 0, refused: 0, permille: 0 };

type Decision = Either<Rejection<ImportRejection>, readonly ImportEvent[]>;

const ended = (): Decision => reject('import-ended', 'The import has ended.');
const unknown = (): Decision => reject('import-unknown', 'There is no such import.');

type CommandOf<Type extends ImportCommand['type']> = Extract<ImportCommand, { type: Type }>;

const create = ({ importId, definition }: CommandOf<'CreateImport'>, state: ImportState): Decision =>
  right(state.kind === 'none' ? [{ type: 'ImportCreated', data: { importId, ...definition } }] : []);

const start = ({ importId, etag }: CommandOf<'StartImport'>, state: ImportState): Decision => {
  if (state.kind === 'none') return unknown();
  if (state.kind === 'cancelled') return ended();
  return right(state.kind === 'created' ? [{ type: 'ImportStarted', data: { importId, etag } }] : []);
};

const advance = ({ importId, progress, refusals }: CommandOf<'AdvanceImport'>, state: ImportState): Decision => {
  if (state.kind === 'none') return unknown();
  if (state.kind === 'created') return reject('import-not-started', 'The import is not started.');
  if (state.kind !== 'running') return ended();
  if (progress.lines <= state.progress.lines) return right([]);
  const listed = refusals.slice(0, mostRefusals - state.listed);
  return right([{ type: 'ImportAdvanced', data: { importId, progress, refusals: listed } }]);
};

const complete = ({ importId }: CommandOf<'CompleteImport'>, state: ImportState): Decision => {
  if (state.kind === 'none') return unknown();
  if (state.kind === 'created') return reject('import-not-started', 'The import is not started.');
  if (state.kind === 'completed') return right([]);
  return state.kind === 'running' ? right([{ type: 'ImportCompleted', data: { importId } }]) : ended();
};

const fail = ({ importId, reason }: CommandOf<'FailImport'>, state: ImportState): Decision => {
  if (state.kind === 'none') return unknown();
  return right(state.kind === 'running' ? [{ type: 'ImportFailed', data: { importId, reason } }] : []);
};

const cancel = ({ importId }: CommandOf<'CancelImport'>, state: ImportState): Decision => {
  if (state.kind === 'none') return unknown();
  if (state.kind === 'completed' || state.kind === 'failed') return ended();
  return right(state.kind === 'cancelled' ? [] : [{ type: 'ImportCancelled', data: { importId } }]);
};

const decide = (command: ImportCommand, state: ImportState): Decision => {
  switch (command.type) {
    case 'CreateImport':
      return create(command, state);
    case 'StartImport':
      return start(command, state);
    case 'AdvanceImport':
      return advance(command, state);
    case 'CompleteImport':
      return complete(command, state);
    case 'FailImport':
      return fail(command, state);
    case 'CancelImport':
      return cancel(command, state);
  }
};

const evolve = (state: ImportState, event: ImportEvent): ImportState => {
  if (event.type === 'ImportCreated') {
    const { importId: _, ...definition } = event.data;
    return { kind: 'created', definition };
  }
  if (state.kind === 'none') return state;
  const { definition } = state;
  switch (event.type) {
    case 'ImportStarted':
      return { kind: 'running', definition, etag: event.data.etag, progress: noProgress, listed: 0 };
    case 'ImportAdvanced':
      return state.kind === 'running'
        ? { ...state, progress: event.data.progress, listed: state.listed + event.data.refusals.length }
        : state;
    case 'ImportCompleted':
      return { kind: 'completed', definition };
    case 'ImportFailed':
      return { kind: 'failed', definition };
    case 'ImportCancelled':
      return { kind: 'cancelled', definition };
  }
};

export const placeImport: Decider<ImportCommand, ImportState, ImportEvent, ImportRejection> = {
  family: imports,
  initial: { kind: 'none' },
  evolve,
  decide,
};
