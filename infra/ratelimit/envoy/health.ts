/** `grpc.health.v1.Health/Check`: while this process answers, it serves; what it does without its store each rule says. */
import { status } from '@grpc/grpc-js';
import { BinaryReader, BinaryWriter } from 'google-protobuf';
import { CallRefused } from './refused';

/** Answers which service is asked about; empty: the process as a whole. */
export const readHealthRequest = (bytes: Uint8Array): string => {
  const reader = new BinaryReader(bytes);
  let service = '';
  while (reader.nextField() && !reader.isEndGroup()) {
    if (reader.getFieldNumber() === 1) service = reader.readString();
    else reader.skipField();
  }
  return service;
};

const serving = 1;

export const writeHealthResponse = (servingStatus: number): Buffer => {
  const writer = new BinaryWriter();
  writer.writeEnum(1, servingStatus);
  return Buffer.from(writer.getResultBuffer());
};

export const healthOf =
  (services: readonly string[]) =>
  async (service: string): Promise<number> => {
    if (services.includes(service)) return serving;
    throw new CallRefused(status.NOT_FOUND, 'There is no such service here.');
  };
