import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { DocumentCommand } from '../../../../domain/editor/document/commands';
import { document } from '../../../../domain/editor/document/decider';
import type { DocumentEvent } from '../../../../domain/editor/document/events';
import { countOwners, type DocumentState, roleOf } from '../../../../domain/editor/document/state';
import { fold } from '../../../../domain/kernel/decider';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { ada, bob, cem, commandOf, creation, dee, hash, invitationId, linkId, noon, tomorrow } from '../examples';

const everybody = [ada, bob, cem, dee];
const person = fc.constantFrom(...everybody);
const role = fc.constantFrom('owner', 'editor', 'commenter', 'viewer');
const linkRole = fc.constantFrom('editor', 'commenter', 'viewer');
const secret = fc.constantFrom(hash('a'), hash('b'));
const number = fc.integer({ min: 1, max: 3 });
const invitation = number.map(invitationId);

const rests: { readonly [Type in DocumentCommand['type']]: fc.Arbitrary<object> } = {
  CreateDocument: fc.constant({ title: 'x', homeRegion: 'local', at: noon, copiedFrom: null }),
  RenameDocument: fc.record({ title: fc.constantFrom('x', 'y') }),
  TrashDocument: fc.constant({}),
  RestoreDocument: fc.constant({}),
  DeleteDocument: fc.constant({}),
  InviteMember: fc
    .record({ invitationId: invitation, role, who: fc.option(person), secretHash: secret })
    .map(({ who, secretHash, ...rest }) => {
      const to = { principalId: who, secretHash: who === null ? secretHash : null };
      return { ...rest, ...to, at: noon, expiresAt: tomorrow };
    }),
  AcceptInvitation: fc.record({ invitationId: invitation, secretHash: fc.option(secret), at: fc.constant(noon) }),
  DeclineInvitation: fc.record({ invitationId: invitation }),
  WithdrawInvitation: fc.record({ invitationId: invitation }),
  ChangeRole: fc.record({ principalId: person, role }),
  RemoveMember: fc.record({ principalId: person }),
  AppointOwner: fc.record({ principalId: person, inactive: fc.subarray([...everybody]) }),
  ShareLink: fc.record({ linkId: number.map(linkId), role: linkRole, secretHash: secret }),
  ChangeLinkRole: fc.record({ role: linkRole }),
  CloseLink: fc.constant({}),
  OpenLink: fc.record({ secretHash: secret }),
  NameVersion: fc.record({ version: number, name: fc.constantFrom('n', 'm'), headVersion: fc.constant(9) }),
  RemoveVersionName: fc.record({ version: number }),
};

const command: fc.Arbitrary<DocumentCommand> = fc
  .constantFrom(...(Object.keys(rests) as DocumentCommand['type'][]).filter((type) => type !== 'DeleteDocument'))
  .chain((type) => fc.tuple(person, rests[type]).map(([by, rest]) => commandOf(by, type, rest as never)));
/** Rarely, or most histories would be over soon. */
const commands = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: command },
    { weight: 1, arbitrary: person.map((by) => commandOf(by, 'DeleteDocument', {})) },
  ),
  { maxLength: 40 },
);

interface Step {
  readonly command: DocumentCommand;
  readonly before: DocumentState;
  readonly events: readonly DocumentEvent[];
  readonly after: DocumentState;
}

const stepsOf = (sequence: readonly DocumentCommand[]): readonly Step[] => {
  const steps: Step[] = [];
  let before: DocumentState = document.initial;
  for (const one of [creation, ...sequence]) {
    const decided = document.decide(one, before);
    const events = isLeft(decided) ? [] : decided.right;
    const after = fold(document, before, events);
    steps.push({ command: one, before, events, after });
    before = after;
  }
  return steps;
};

const rolesIn = (state: DocumentState): readonly (string | undefined)[] => everybody.map((one) => roleOf(state, one));
const always = (holds: (step: Step) => void): void =>
  fc.assert(
    fc.property(commands, (sequence) => stepsOf(sequence).forEach(holds)),
    { numRuns: 300 },
  );

describe('a document under random commands', () => {
  it('has an owner until it is deleted', () =>
    always(({ after }) => {
      if (after.kind === 'active' || after.kind === 'trashed') assert.ok(countOwners(after) > 0);
    }));

  it('grants access only by an owner, an invitation or the link', () =>
    always(({ command: { type, by }, before, after }) => {
      if (before.kind === 'none' || type === 'AcceptInvitation' || type === 'OpenLink' || type === 'AppointOwner')
        return;
      if (roleOf(before, by) !== 'owner') {
        const others = (state: DocumentState) => rolesIn(state).filter((_, index) => everybody[index] !== by);
        assert.deepEqual(others(after), others(before));
      }
    }));

  it('ignores repeated commands', () =>
    always(({ command: one, events, after }) => {
      const again = document.decide(one, after);
      if (events.length > 0 && !isLeft(again)) assert.deepEqual(again.right, []);
    }));

  it('has no members after its deletion', () =>
    always(({ before, events, after }) => {
      const [deletion] = events;
      if (deletion?.type !== 'DocumentDeleted') return;
      const had = everybody.filter((one) => roleOf(before, one) !== undefined);
      assert.deepEqual([...deletion.data.members].sort(), [...had].sort() as PrincipalId[]);
      assert.equal(after.kind, 'deleted');
    }));
});
