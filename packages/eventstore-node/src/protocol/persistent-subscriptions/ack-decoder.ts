/** Decodes acknowledgements from their bytes, without building messages: clients send one for every event. */
import { ReadReq } from '@eventstore/db-client/generated/persistent_pb';

/** Ids as text. */
export type AcknowledgedIds = readonly string[];

const ackTag = 0x12;
/** Field `ids`: 38 bytes of `UUID`, whose `string` has 36. */
const idHeader = [0x12, 38, 0x12, 36] as const;
const idBytes = idHeader.length + 36;

const startsId = (bytes: Buffer, at: number): boolean =>
  bytes[at] === idHeader[0] &&
  bytes[at + 1] === idHeader[1] &&
  bytes[at + 2] === idHeader[2] &&
  bytes[at + 3] === idHeader[3];

/** Where the contents of the message's only field begin; undefined when it has other fields or none. */
const contentsOf = (bytes: Buffer): number | undefined => {
  let length = 0;
  let at = 1;
  for (let factor = 1; at < bytes.length; factor *= 0x80) {
    const byte = bytes[at] ?? 0;
    length += (byte & 0x7f) * factor;
    at += 1;
    if (byte < 0x80) return length === bytes.length - at ? at : undefined;
  }
  return undefined;
};

/** Undefined for any other message, and for acknowledgements in any other form. */
const decodeAcknowledgedIds = (bytes: Buffer): AcknowledgedIds | undefined => {
  const contents = bytes[0] === ackTag ? contentsOf(bytes) : undefined;
  if (contents === undefined || (bytes.length - contents) % idBytes !== 0) return undefined;
  const ids: string[] = [];
  for (let at = contents; at < bytes.length; at += idBytes) {
    if (!startsId(bytes, at)) return undefined;
    ids.push(bytes.toString('latin1', at + idHeader.length, at + idBytes).toLowerCase());
  }
  return ids;
};

export const decodeReadRequest = (bytes: Buffer): ReadReq | AcknowledgedIds =>
  decodeAcknowledgedIds(bytes) ?? ReadReq.deserializeBinary(bytes);
