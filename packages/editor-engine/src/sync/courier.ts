/** Sends what a tab that is gone had not sent, as the client that it was: what it sent already is then not done twice. */
import type { ClientId, DocumentId } from '../../../../domain/editor/ids';
import { mayAs } from '../../../../domain/editor/roles';
import { spokenSchemas } from '../../../../domain/editor/schemas';
import { type Ledger, pendingOfClient, recover } from '../ledger';
import type { Platform } from '../ports/platform';
import { type Mark, markOf } from '../ports/store';
import type { Transport } from '../ports/transport';
import type { Pending } from '../scene/pending';
import { openConnection } from './connection';
import { lineageOf, setAside } from './lineage';
import { refused } from './refused';
import { acknowledged, away, flush, joined, limited, openSender, settledSeq } from './sender';
import type { Heard } from './words';

export interface CourierOptions {
  readonly ledger: Ledger;
  readonly platform: Platform;
  readonly transport: Transport;
  readonly documentId: DocumentId;
  readonly clientId: ClientId;
  readonly lastClientSeq: number;
  /** Nothing of it is pending any more. */
  readonly done: () => void;
  readonly fault: (error: unknown) => void;
}

export interface Courier {
  /** Looks whether there is anything left, and goes on. */
  readonly look: () => void;
  readonly stop: () => void;
}

type Message = Exclude<Heard, 'unknown' | 'malformed'>;

export const openCourier = (options: CourierOptions): Courier => {
  const { ledger, platform, transport, documentId, clientId, lastClientSeq, done, fault } = options;
  let isOver = false;
  let named: Mark = { version: 0 };
  const mine = (): readonly Pending[] => pendingOfClient(ledger, clientId);
  const giveUp = (): void => {
    recover(
      ledger,
      mine().map((item) => ({ item, reason: 'not-allowed', isUncertain: item.isSent })),
    );
  };
  const look = (): void => {
    if (isOver) return;
    if (mine().length > 0) {
      flush(sender);
      return;
    }
    isOver = true;
    connection.stop();
    done();
  };
  const heard = (message: Message): void => {
    if (message.type === 'joined' && lineageOf(ledger, named, message) === 'other') setAside(ledger, message, mine());
    else if (message.type === 'joined') {
      sender.mayEdit = mayAs(message.role, 'editor');
      joined(sender, message);
      if (!sender.mayEdit) giveUp();
    } else if (message.type === 'ack') acknowledged(sender, message);
    else if (message.type === 'rateLimited') limited(sender, message);
    else if (message.type === 'error' && message.code === 'client-id-taken') giveUp();
    else if (message.type === 'error' && sender.batch !== undefined) refused(sender, message);
    look();
  };
  const connection = openConnection({
    ...{ platform, transport, documentId, heard, fault },
    join: () => {
      named = markOf(ledger.replica.version, ledger.replica.opId);
      return {
        ...{ type: 'join', documentId, clientId, settledClientSeq: settledSeq(sender, lastClientSeq) },
        // What is committed comes to the one that is open here anyway.
        ...{ lastCommittedVersion: named.version, capabilities: [...spokenSchemas] },
      };
    },
    ended: () => away(sender),
  });
  const sender = openSender({
    ...{ ledger, platform, documentId, clientId, send: connection.sendText },
    rejoin: () => connection.restart('rejoin'),
  });
  connection.start();
  return {
    look,
    stop: () => {
      isOver = true;
      connection.stop();
      away(sender);
    },
  };
};
