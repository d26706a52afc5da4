/** Two copies of the editor behind a gateway, each of which may be killed and come back where it was. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { DocumentId } from '../../../domain/editor/ids';
import { logStream } from '../../../domain/editor/operation-log/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { openRedisDocumentLeases } from '../../../infra/adapters/redis/editor/document-leases';
import { freePort } from '../../../infra/operate/launch/free-port';
import { bind } from '../../../infra/server/http/routing/route';
import { issueStreamTicket } from '../../../read-api/kernel/streams/ticket-route';
import { type Around, type EditorProcess, startEditor } from '../../contracts/editor/sessions/fixture';
import { jwksRoute, startGateway } from '../../support/gateway/gateway';
import { startHttpService } from '../../support/http/http-service';
import { callerKeys } from '../../support/http/internal-keys';

/** Until `kill`, and again after `comeBack`. */
export interface Copy {
  readonly address: string;
  readonly process: () => EditorProcess;
  readonly kill: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
}

export interface Copies {
  readonly url: string;
  readonly all: readonly [Copy, Copy];
  readonly tokenOf: (principalId: string) => string;
  /** The address of the document's owner in the lease store. */
  readonly holderOf: (documentId: string) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

const startCopy = async (around: Around): Promise<Copy> => {
  const port = (await freePort()) as number;
  let process = await startEditor(around, port);
  return {
    address: `http://127.0.0.1:${port}`,
    process: () => process,
    kill: () => process.kill(),
    comeBack: async () => {
      process = await startEditor(around, port);
    },
  };
};

/** The other services that the gateway calls: keys of tokens, and tickets for sockets. */
const startOthers = () => {
  const clock = { now: () => new Date().toISOString() as Instant };
  const ticketing = { callerKeys, clock };
  return startHttpService([jwksRoute, bind(ticketing, issueStreamTicket)]);
};

const documentScopes = ['documents:read', 'documents:write'];

const startGatewayBefore = async (copies: readonly Copy[]) => {
  const others = await startOthers();
  const editorUrl = copies.map(({ address }) => address).join(',');
  const gateway = await startGateway({ commandsPort: others.port, readApiPort: others.port, editorUrl });
  // Heartbeats of the security state, as the log would send them.
  const heartbeats = setInterval(() => gateway.revocations.apply({ kind: 'heartbeat', sequence: null }), 1_000);
  return {
    gateway,
    close: async () => {
      clearInterval(heartbeats);
      await gateway.close();
      await others.close();
    },
  };
};

export const startCopies = async (around: Around): Promise<Copies> => {
  const all = await Promise.all([startCopy(around), startCopy(around)]);
  const { gateway, close } = await startGatewayBefore(all);
  const owners = openRedisDocumentLeases({ url: around.REDIS_URL, address: 'http://nobody' });
  return {
    url: gateway.url,
    all,
    tokenOf: (sub) => gateway.token({ sub, scopes: documentScopes, jti: randomUUID() }),
    holderOf: async (documentId) => {
      const address = await owners.holderAddress(logStream('acme' as TenantId, documentId as DocumentId));
      return isLeft(address) ? undefined : address.right;
    },
    close: async () => {
      await close();
      await owners.close();
      await Promise.all(all.map(({ process }) => process().kill('SIGTERM')));
    },
  };
};
