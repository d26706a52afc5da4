/** Identifiers and the names of streams made of them. */
import type { TypeOf } from 'io-ts';
import { brandedText, text } from './codec';

/** No dot: the first dot of a stream's name ends the tenant. */
export const TenantId = brandedText('TenantId', {
  maxLength: 63,
  pattern: '[a-z0-9][a-z0-9-]*',
  examples: ['acme'],
});
export type TenantId = TypeOf<typeof TenantId>;

/** Differs by name, so that examples with several ids can be read. */
const exampleId = (name: string): string => {
  const sum = Array.from(name).reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 2 ** 32, 0);
  return `${sum.toString(16).padStart(8, '0')}-2f0a-5b4e-8a51-0f1e2d3c4b5a`;
};

/** An id that may end a stream's name. */
export const idOf = <const Name extends string>(name: Name) =>
  brandedText(name, { maxLength: 128, pattern: '[A-Za-z0-9][A-Za-z0-9_-]*', examples: [exampleId(name)] });

/** A person, a pipeline or an agent: the subject of a token. */
export const PrincipalId = idOf('PrincipalId');
export type PrincipalId = TypeOf<typeof PrincipalId>;

/** A job of a work queue. */
export const JobId = text('QueuedJobId', { maxLength: 18, pattern: '[0-9]+', examples: ['42'] });

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
