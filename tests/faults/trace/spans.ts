/** Assertions about traces. */
import assert from 'node:assert/strict';
import type { SentSpan } from './collector';

export const services = ['blobs', 'commands', 'gateway', 'processes', 'projections', 'read-api', 'workers'];

export const find = (spans: readonly SentSpan[], service: string, name: string): SentSpan => {
  const found = spans.find((span) => span.service === `septet-${service}` && span.name === name);
  const all = spans.map((span) => `${span.service}: ${span.name}`).join('\n');
  assert.ok(found !== undefined, `no span ${name} of ${service} among\n${all}`);
  return found;
};

export const assertUnder = (child: SentSpan, parent: SentSpan): void =>
  assert.equal(child.parent, parent.id, `${child.name} is under ${parent.name}`);

/** Every span hangs on another one of the trace, or on the client's. */
export const assertWhole = (spans: readonly SentSpan[], client: string): void => {
  const ids = new Set([client, ...spans.map(({ id }) => id)]);
  for (const { service, name, parent } of spans)
    assert.ok(parent !== undefined && ids.has(parent), `${service}: ${name} hangs on nothing`);
};

const attributeNames =
  /^(http\.request\.method|http\.route|http\.response\.status_code|error\.type|requestId|septet\.(category|outcome|view|batch|attempt))$/;

/** Names and ids of ours alone. */
export const assertPlain = (spans: readonly SentSpan[]): void => {
  for (const { attributes } of spans) for (const name of Object.keys(attributes)) assert.match(name, attributeNames);
};
