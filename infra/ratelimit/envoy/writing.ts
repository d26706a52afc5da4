/** An answer's bytes (protocol buffers). */
import { BinaryWriter } from 'google-protobuf';
import type { DescriptorStatus, Header, RateLimitResponse } from './messages';

const largest = 2 ** 32 - 1;
const bounded = (count: number): number => Math.min(Math.max(0, count), largest);

/** `google.protobuf.UInt32Value`. */
const writeValue = (value: number, writer: BinaryWriter): void => writer.writeUint32(1, bounded(value));

const writeLimit = (limit: NonNullable<DescriptorStatus['limit']>, writer: BinaryWriter): void => {
  writer.writeUint32(1, bounded(limit.requestsPerUnit));
  writer.writeEnum(2, limit.period.unit);
  writer.writeString(3, limit.name);
  if (limit.period.multiplier > 1) writer.writeMessage(4, limit.period.multiplier, writeValue);
};

/** `google.protobuf.Duration`. */
const writeDuration = (seconds: number, writer: BinaryWriter): void => writer.writeInt64(1, seconds);

const writeStatus = ({ code, limit }: DescriptorStatus, writer: BinaryWriter): void => {
  writer.writeEnum(1, code);
  if (limit === undefined) return;
  writer.writeMessage(2, limit, writeLimit);
  writer.writeUint32(3, bounded(limit.remaining));
  writer.writeMessage(4, limit.resetSeconds, writeDuration);
};

/** `envoy.config.core.v3.HeaderValue`. */
const writeHeader = ([name, value]: Header, writer: BinaryWriter): void => {
  writer.writeString(1, name);
  writer.writeString(2, value);
};

export const writeResponse = (response: RateLimitResponse): Buffer => {
  const writer = new BinaryWriter();
  writer.writeEnum(1, response.code);
  for (const status of response.statuses) writer.writeMessage(2, status, writeStatus);
  for (const header of response.responseHeaders) writer.writeMessage(3, header, writeHeader);
  for (const header of response.requestHeaders) writer.writeMessage(4, header, writeHeader);
  if (response.body !== '') writer.writeBytes(5, Buffer.from(response.body));
  return Buffer.from(writer.getResultBuffer());
};
