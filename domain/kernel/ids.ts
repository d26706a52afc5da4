/** Identifiers and the names of streams made of them. */
import type { TypeOf } from 'io-ts';
import { brandedText } from './codec';

/** No dot: the first dot of a stream's name ends the tenant. */
export const TenantId = brandedText('TenantId', {
  maxLength: 63,
  pattern: '[a-z0-9][a-z0-9-]*',
  examples: ['acme'],
});
export type TenantId = TypeOf<typeof TenantId>;

/** An id that may end a stream's name. */
export const idOf = <const Name extends string>(name: Name) =>
  brandedText(name, { maxLength: 128, pattern: '[A-Za-z0-9][A-Za-z0-9_-]*' });

/** A person, a pipeline or an agent: the subject of a token. */
export const PrincipalId = idOf('PrincipalId');
export type PrincipalId = TypeOf<typeof PrincipalId>;

export interface StreamParts {
  readonly context: string;
  readonly aggregate: string;
  readonly tenant: TenantId;
  readonly id: string;
}

/** `<context>.<aggregate>-<tenant>.<id>`: the category is what stands before the first dash. */
export const streamName = ({ context, aggregate, tenant, id }: StreamParts): string =>
  `${context}.${aggregate}-${tenant}.${id}`;

const streamShape = /^([a-z]+)\.([A-Za-z]+)-([a-z0-9][a-z0-9-]*)\.(.+)$/u;

export const parseStreamName = (stream: string): StreamParts | undefined => {
  const [, context, aggregate, tenant, id] = streamShape.exec(stream) ?? [];
  if (context === undefined || aggregate === undefined || id === undefined || !TenantId.is(tenant)) return undefined;
  return { context, aggregate, tenant, id };
};
