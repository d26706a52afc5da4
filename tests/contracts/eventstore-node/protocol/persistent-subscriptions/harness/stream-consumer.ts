/** A persistent subscription to a stream, and one consumer of it over the protocol itself. */
import {
  EventStoreDBClient,
  type PersistentSubscriptionToStreamSettings,
  persistentSubscriptionToAllSettingsFromDefaults,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
} from '@eventstore/db-client';
import { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import { ReadReq, type ReadResp } from '@eventstore/db-client/generated/persistent_pb';
import { Empty, type UUID } from '@eventstore/db-client/generated/shared_pb';
import { credentials } from '@grpc/grpc-js';
import type { NodeProcess } from '../../../../../support/servers/event-store-node';
import { identifierOf } from '../../harness/stream-requests';

export interface Subscribed {
  /** Absent: `$all`. */
  readonly stream?: string;
  readonly group: string;
  readonly bufferSize: number;
}

export interface Delivered {
  readonly id: UUID;
  readonly revision: number;
}

export interface Consumer {
  /** The next page of what came; undefined when the call is over. */
  readonly next: () => Promise<Delivered | undefined>;
  readonly ack: (ids: UUID[]) => void;
  readonly retry: (ids: UUID[]) => void;
  readonly close: () => void;
}

/** From the stream's beginning. */
export const createGroup = async (
  { url }: Pick<NodeProcess, 'url'>,
  { stream, group }: { readonly stream: string; readonly group: string },
  settings: Partial<PersistentSubscriptionToStreamSettings> = {},
): Promise<void> => {
  const client = EventStoreDBClient.connectionString(url);
  const all = persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START, ...settings });
  await client.createPersistentSubscriptionToStream(stream, group, all);
  await client.dispose();
};

export const createGroupToAll = async ({ url }: Pick<NodeProcess, 'url'>, group: string): Promise<void> => {
  const client = EventStoreDBClient.connectionString(url);
  await client.createPersistentSubscriptionToAll(group, persistentSubscriptionToAllSettingsFromDefaults());
  await client.dispose();
};

const optionsOf = ({ stream, group, bufferSize }: Subscribed): ReadReq => {
  const options = new ReadReq.Options();
  if (stream === undefined) options.setAll(new Empty());
  else options.setStreamIdentifier(identifierOf(stream));
  options.setGroupName(group);
  options.setBufferSize(bufferSize);
  options.setUuidOption(new ReadReq.Options.UUIDOption().setString(new Empty()));
  return new ReadReq().setOptions(options);
};

const deliveredIn = (reply: ReadResp): Delivered | undefined => {
  const event = reply.getEvent()?.getEvent();
  const id = event?.getId();
  return event === undefined || id === undefined ? undefined : { id, revision: Number(event.getStreamRevision()) };
};

export const consume = ({ port }: Pick<NodeProcess, 'port'>, subscribed: Subscribed): Consumer => {
  const client = new PersistentSubscriptionsClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const call = client.read();
  // The call may break while no caller awaits a reply.
  call.on('error', () => undefined);
  call.write(optionsOf(subscribed));
  const replies = call[Symbol.asyncIterator]() as AsyncIterator<ReadResp>;
  const next = async (): Promise<Delivered | undefined> => {
    for (;;) {
      const reply = await replies.next().catch(() => undefined);
      if (reply === undefined || reply.done === true) return undefined;
      const delivered = deliveredIn(reply.value);
      if (delivered !== undefined) return delivered;
    }
  };
  return {
    next,
    ack: (ids) => void call.write(new ReadReq().setAck(new ReadReq.Ack().setIdsList(ids))),
    retry: (ids) =>
      void call.write(
        new ReadReq().setNack(
          new ReadReq.Nack().setIdsList(ids).setAction(ReadReq.Nack.Action.RETRY).setReason('load'),
        ),
      ),
    close: () => {
      call.cancel();
      client.close();
    },
  };
};
