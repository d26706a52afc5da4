/** The parts of an engine, put together. */
import type { ClientId } from '../../../domain/editor/ids';
import { emptyScene } from '../../../domain/editor/scene/scene';
import { presentSchema } from '../../../domain/editor/schemas';
import { acknowledgedAgain } from './acknowledged';
import { type Author, keptOf } from './edit/author';
import type { Desk } from './edit/desk';
import { type Emitter, openEmitter } from './events';
import type { Cached } from './keep/cache';
import { type Keeper, openKeeper } from './keep/keeper';
import type { Ledger } from './ledger';
import type { EngineOptions } from './options';
import type { Change, DocumentStore, KeptClient, KeptPending } from './ports/store';
import { openChanges } from './scene/changes';
import { pendingIn } from './scene/replica';
import { endTyping, openTypist, type Typist } from './text/typing';
import { openHistory } from './undo/history';

export interface Parts {
  readonly emitter: Emitter;
  readonly keeper: Keeper;
  readonly ledger: Ledger;
  readonly author: Author;
  readonly desk: Desk;
  readonly typist: Typist;
}

/** What the parts ask of whoever has put them together. */
export interface Calls {
  readonly mayEdit: () => boolean;
  readonly isOpen: () => boolean;
  readonly kept: () => void;
  readonly settled: () => void;
  readonly grew: (operations: number) => void;
}

export interface Begun {
  readonly store: DocumentStore;
  readonly cached: Cached | undefined;
  /** From the last time. */
  readonly client: KeptClient | undefined;
  readonly acknowledged: readonly KeptPending[];
}

const ledgerOf = (
  options: EngineOptions,
  [begun, keeper, emitter]: [Begun, Keeper, Emitter],
  rest: Pick<Ledger, 'settled' | 'lost' | 'grew'>,
): Ledger => {
  const { platform, userId } = options;
  const changes = openChanges(() => platform.soon(() => tell()));
  const { scene, version, opId }: Cached = begun.cached ?? { scene: emptyScene(), version: 0 };
  const replica = { scene, version, opId, units: [], schema: presentSchema, actorId: userId, changes };
  const tell = (): void => {
    const changed = changes.take(replica.scene);
    if (changed !== undefined) emitter.emit({ kind: 'changed', ...changed });
  };
  const { lasts } = begun.store;
  const acknowledged = acknowledgedAgain(begun.acknowledged);
  return {
    ...{ ...rest, replica, keeper, emitter, recovered: new Map(), acknowledged },
    ...{ now: platform.now, lasts, keepsFrames: false },
  };
};

const authorOf = ({ documentId, userId, platform }: EngineOptions, client: KeptClient | undefined): Author => ({
  ...{ clientId: client?.clientId as ClientId | undefined, documentId, actorId: userId, now: platform.now },
  ...{ lastClientSeq: client?.lastClientSeq ?? 0, lastNode: client?.lastNode ?? 0 },
});

export const assemble = (options: EngineOptions, begun: Begun, calls: Calls): Parts => {
  const emitter = openEmitter();
  const failed = (error: unknown): void => emitter.emit({ kind: 'fault', fault: 'store', error });
  const everything = (): Change => ({
    ...(author.clientId === undefined ? {} : { client: keptOf(author, author.clientId) }),
    pending: pendingIn(ledger.replica).map(({ clientId, operation }) => ({ clientId, operation })),
    recovered: [...ledger.recovered.values()],
  });
  const { kept } = calls;
  const keeper = openKeeper({ store: begun.store, platform: options.platform, failed, changed: kept, everything });
  const typist = openTypist(options.platform.random);
  const history = openHistory((one) => endTyping(typist, one));
  const lost = history.disown;
  const ledger = ledgerOf(options, [begun, keeper, emitter], { settled: calls.settled, grew: calls.grew, lost });
  const author = authorOf(options, begun.client);
  const { mayEdit, isOpen } = calls;
  const desk: Desk = { author, ledger, history, mayEdit, isOpen, kept, step: undefined, steps: 0 };
  return { emitter, keeper, ledger, author, desk, typist };
};
