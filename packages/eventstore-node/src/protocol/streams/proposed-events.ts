/** Decodes events as clients propose them, and the revision that they expect. */
import type { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { NewRecord } from '../../storage/records/record-format';
import { type ExpectedRevision, noStream } from '../../storage/write-events';
import { handlerFailed, invalidArgument, missingMetadata } from '../errors';

interface ProposedMessage {
  getId(): UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const nilUuid = '00000000-0000-0000-0000-000000000000';

const halfAsHex = (decimal: string): string => BigInt.asUintN(64, BigInt(decimal)).toString(16).padStart(16, '0');

/** The text form of either shape of UUID; undefined when it is neither. */
export const uuidText = (uuid: UUID | undefined): string | undefined => {
  const structured = uuid?.getStructured();
  if (structured !== undefined) {
    const hex = halfAsHex(structured.getMostSignificantBits()) + halfAsHex(structured.getLeastSignificantBits());
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
  const text = uuid?.getString().toLowerCase() ?? '';
  return uuidShape.test(text) ? text : undefined;
};

/** Throws the status of the `Append` call; BatchAppend converts it to its own errors. */
export const decodeProposedEvent = (message: ProposedMessage): NewRecord => {
  const metadata = message.getMetadataMap();
  const type = metadata.get('type');
  const contentType = metadata.get('content-type');
  if (type === undefined) throw missingMetadata('type');
  if (contentType === undefined) throw missingMetadata('content-type');
  const id = uuidText(message.getId());
  if (id === undefined || id === nilUuid || type === '') throw handlerFailed();
  return {
    id,
    type,
    json: contentType === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
};

/** EventStoreDB stores an append as one record of the log, so its bound covers the whole append, not only its data. */
export const maxRecordBytes = 16 * 1024 * 1024;
const recordOverhead = 64;
export const weightOf = ({ type, data, metadata }: NewRecord): number =>
  recordOverhead + type.length + data.length + metadata.length;

interface ExpectedForms {
  readonly revision: () => string;
  readonly isRevision: boolean;
  readonly isNoStream: boolean;
  readonly isAny: boolean;
  readonly isStreamExists: boolean;
}

/** Undefined when no expectation is set. */
export const decodeExpectedForms = (forms: ExpectedForms): ExpectedRevision | undefined => {
  if (forms.isAny) return 'any';
  if (forms.isNoStream) return noStream;
  if (forms.isStreamExists) return 'exists';
  if (!forms.isRevision) return undefined;
  const revision = BigInt(forms.revision());
  return revision > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(revision);
};

interface RevisionOptions {
  hasRevision(): boolean;
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
  getRevision(): string;
}

/** For Append, Delete and Tombstone. */
export const decodeExpectedRevision = (options: RevisionOptions): ExpectedRevision => {
  const expected = decodeExpectedForms({
    revision: () => options.getRevision(),
    isRevision: options.hasRevision(),
    isNoStream: options.hasNoStream(),
    isAny: options.hasAny(),
    isStreamExists: options.hasStreamExists(),
  });
  if (expected === undefined) throw invalidArgument("'None' is not a valid ExpectedStreamRevisionOptionOneofCase");
  return expected;
};

interface WithStreamIdentifier {
  getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined;
}

export const decodeStreamName = (options: WithStreamIdentifier): Buffer =>
  Buffer.from(options.getStreamIdentifier()?.getStreamName_asU8() ?? []);

/** EventStoreDB's number for each form: NoStream -1, Any -2, StreamExists -4. */
export const expectedNumber = (expected: ExpectedRevision): number => {
  if (expected === 'any') return -2;
  return expected === 'exists' ? -4 : expected;
};
