/** Clients of one bucket, with bounds on how long they wait and how often they try. */
import { S3Client } from '@aws-sdk/client-s3';

export interface S3Options {
  /** Undefined: Amazon's own of the region. */
  readonly endpoint?: string | undefined;
  /** Where clients outside reach the same store, when that differs: signed URLs name it. */
  readonly publicEndpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** How long a connection may stand still. */
  readonly idleMilliseconds?: number;
  /** How long a store may take to join the parts of an upload. */
  readonly joinMilliseconds?: number;
}

export interface S3Store {
  readonly client: S3Client;
  /** Never tries again: a condition that the first attempt met would refuse the second. */
  readonly once: S3Client;
  /** Waits for minutes, and never tries again: large objects are joined for so long, and a second attempt would join them once more. */
  readonly patient: S3Client;
  /** For signed URLs only. */
  readonly outside: S3Client;
  readonly bucket: string;
}

const nothing = (): void => undefined;
/** Silences the SDK's console warning about streams that cannot be sent twice; the caller gets the error. */
const quiet = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

const clientOf = (options: S3Options, endpoint: string | undefined, maxAttempts: number): S3Client => {
  const { region, accessKey, secretKey, idleMilliseconds = 30_000 } = options;
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    maxAttempts,
    logger: quiet,
    // Ours are SHA-256 and always sent; the SDK would add a CRC to signed URLs that clients would have to know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: idleMilliseconds,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
    },
  });
};

export const openS3Client = (options: S3Options): S3Store => {
  const { endpoint, publicEndpoint = endpoint, bucket, joinMilliseconds = 900_000 } = options;
  const [client, once] = [clientOf(options, endpoint, 3), clientOf(options, endpoint, 1)];
  const patient = clientOf({ ...options, idleMilliseconds: joinMilliseconds }, endpoint, 1);
  return { client, once, patient, outside: clientOf(options, publicEndpoint, 1), bucket };
};
