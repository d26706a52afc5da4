/** One stream from a revision on: what commands and tokens are decided from, so it is read off its bytes like the whole log. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { StoredEvent } from '../../../ports/event-store';
import { nested, numberField, textField } from '../protobuf-fields';
import { readEvents } from './read-events';

const { Options } = ReadReq;

/** What is the same in each: everything but which stream, and from where. */
const restOf = (): Buffer => {
  const uuid = new Options.UUIDOption();
  uuid.setString(new Empty());
  const options = new Options();
  options.setReadDirection(0);
  options.setCount(String(Number.MAX_SAFE_INTEGER));
  options.setUuidOption(uuid);
  options.setResolveLinks(false);
  options.setNoFilter(new Empty());
  return Buffer.from(options.serializeBinary());
};

const rest = restOf();

/** Field numbers: EventStoreDB's streams.proto and shared.proto. */
export const streamRequest = (stream: string, from: number): Buffer => {
  const name = nested(0x0a, textField(0x1a, stream));
  return nested(0x0a, nested(0x0a, name, numberField(0x10, from)), rest);
};

/** Nothing of a stream that does not exist; one that was ended is an error of its own. */
export const readStream = async (
  client: EventStoreDBClient,
  { stream, from }: { readonly stream: string; readonly from: number },
  silenceMilliseconds: number,
): Promise<readonly StoredEvent[]> => {
  const found: StoredEvent[] = [];
  for await (const events of readEvents(client, streamRequest(stream, from), silenceMilliseconds))
    found.push(...events);
  return found;
};
