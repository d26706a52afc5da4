/** How raw stubs reach a server that a connection string names, with TLS and credentials when it has them. */
import { readFileSync } from 'node:fs';
import { CallCredentials, type ChannelCredentials, credentials, Metadata } from '@grpc/grpc-js';

export interface Account {
  readonly login: string;
  readonly password: string;
}

export interface Channel {
  readonly address: string;
  readonly credentials: ChannelCredentials;
}

const parsed = (url: string): URL => new URL(url.replace(/^(esdb|kurrentdb)(\+discover)?:/, 'http:'));

export const addressIn = (url: string): string => parsed(url).host;

const accountOf = ({ username, password }: URL): Account | undefined =>
  username === '' ? undefined : { login: decodeURIComponent(username), password: decodeURIComponent(password) };

/** An insecure server takes any. */
export const accountIn = (url: string): Account => accountOf(parsed(url)) ?? { login: 'admin', password: 'any' };

export const basic = ({ login, password }: Account): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

const callCredentials = (authorization: string): CallCredentials =>
  CallCredentials.createFromMetadataGenerator((_, done) => {
    const metadata = new Metadata();
    metadata.set('authorization', authorization);
    done(null, metadata);
  });

const isSecure = ({ searchParams }: URL): boolean => searchParams.get('tls') !== 'false';

/** With another header than the connection string's; '' for none. */
export const channelOf = (url: string, authorization?: string): Channel => {
  const target = parsed(url);
  const { host: address } = target;
  if (!isSecure(target)) return { address, credentials: credentials.createInsecure() };
  const authority = target.searchParams.get('tlsCAFile');
  const channel = credentials.createSsl(authority === null ? null : readFileSync(authority));
  const account = accountOf(target);
  const header = authorization ?? (account === undefined ? '' : basic(account));
  if (header === '') return { address, credentials: channel };
  return { address, credentials: credentials.combineChannelCredentials(channel, callCredentials(header)) };
};
