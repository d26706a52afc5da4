/** Where the log ends: the position of its last event. Every process polls it, so concurrent reads share one request. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { readEvents } from './read-events';

const { Options } = ReadReq;

/** The last event of `$all`, of any type. */
const requestOfLast = (): Buffer => {
  const all = new Options.AllOptions();
  all.setEnd(new Empty());
  const uuid = new Options.UUIDOption();
  uuid.setString(new Empty());
  const options = new Options();
  options.setAll(all);
  options.setReadDirection(1);
  options.setCount('1');
  options.setUuidOption(uuid);
  options.setResolveLinks(false);
  options.setNoFilter(new Empty());
  return Buffer.from(new ReadReq().setOptions(options).serializeBinary());
};

const request = requestOfLast();

/** Null: the log is empty. Throws when the server goes away, or is silent for so long. */
export const readHead = async (client: EventStoreDBClient, silenceMilliseconds: number): Promise<bigint | null> => {
  let head: bigint | null = null;
  for await (const events of readEvents(client, request, silenceMilliseconds)) head = events.at(-1)?.position ?? head;
  return head;
};
