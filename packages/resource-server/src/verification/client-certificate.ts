/** Client certificates: thumbprints (RFC 8705) and the `Client-Cert` header (RFC 9440). */
import { createHash } from 'node:crypto';

export interface ClientCertificate {
  /** `x5t#S256`. */
  readonly thumbprint: string;
  /** DER, base64. */
  readonly der: string;
  /** Signed by an authority that the listener trusts. */
  readonly trusted: boolean;
}

const maxCertificateBytes = 8_192;

export const clientCertificateOf = (der: Buffer, trusted: boolean): ClientCertificate | undefined => {
  // Certificates are a SEQUENCE; other bytes have no certificate thumbprint.
  if (der.length < 64 || der.length > maxCertificateBytes || der[0] !== 0x30) return undefined;
  return { thumbprint: createHash('sha256').update(der).digest('base64url'), der: der.toString('base64'), trusted };
};

const binary = /^:([A-Za-z0-9+/]{1,11000}={0,2}):$/;

/** One Byte Sequence of structured fields (RFC 8941). */
export const certificateInHeader = (header: string | undefined, trusted = false): ClientCertificate | undefined => {
  const [, encoded] = binary.exec(header?.trim() ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const der = Buffer.from(encoded, 'base64');
  return der.toString('base64') === encoded ? clientCertificateOf(der, trusted) : undefined;
};
