/** The caller of a gRPC call. */
import type { Metadata } from '@grpc/grpc-js';

export type Caller =
  /** Anyone, on a node that requires no credentials. */
  | { readonly kind: 'system' }
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly login: string; readonly groups: readonly string[] };

export interface Credentials {
  readonly login: string;
  readonly password: string;
}

const basic = /^basic +([a-z0-9+/_-]+={0,2}) *$/i;

/** RFC 7617. Undefined when the header is not valid Basic authentication. */
export const parseCredentials = (header: string): Credentials | undefined => {
  const [, encoded] = basic.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 1 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
};

export const authorizationOf = (metadata: Metadata): string | undefined => metadata.get('authorization')[0]?.toString();
