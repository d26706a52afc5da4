/** The property of every family with secrets: after any erasure, recorded events can be read and folded. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { fold } from '../../../domain/kernel/decider';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import { forgotten } from '../../../domain/kernel/secret';
import { eventsOf } from './arbitrary';

const forgetting = <Event extends DomainEvent>(family: Family<Event>, event: Event, isGone: boolean): Event => {
  const { type, data } = family.encode(event);
  const fields = isGone ? (family.secrets[event.type] ?? []) : [];
  const read = family.decode(type, {
    ...(data as object),
    ...Object.fromEntries(fields.map((field) => [field, forgotten])),
  });
  assert.ok(isRight(read), `${type} cannot be read when it is forgotten`);
  return read.right;
};

/** After any subject of any events is forgotten, each event decodes and the fold accepts all of them. */
export const survivesForgetting = <State, Event extends DomainEvent>(
  family: Family<Event>,
  evolve: (state: State, event: Event) => State,
  initial: State,
): void =>
  fc.assert(
    fc.property(fc.array(fc.tuple(eventsOf(family), fc.boolean())), (history) => {
      const events = history.map(([event, isGone]) => forgetting(family, event, isGone));
      JSON.stringify(fold({ evolve }, initial, events));
    }),
  );
