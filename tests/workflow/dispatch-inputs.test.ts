import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight, left, right } from 'fp-ts/Either';
import { expressionContexts } from '../../commands/workflow/runs/expression-contexts';
import {
  type DispatchInput,
  DispatchInputs,
  inputTexts,
  TypedInputs,
  typedInputs,
} from '../../domain/workflow/trigger/dispatch-inputs';
import { request, stateAfter } from '../support/workflow/runs';

const input = (name: string, more: Partial<DispatchInput> = {}): DispatchInput => ({
  name,
  description: undefined,
  type: 'string',
  required: false,
  default: undefined,
  options: [],
  ...more,
});

const declared = [
  input('note'),
  input('dry', { type: 'boolean' }),
  input('shards', { type: 'number', default: '4' }),
  input('where', { type: 'choice', options: ['staging', 'production'], required: true }),
  input('to', { type: 'environment' }),
];

describe('inputs of a manual dispatch', () => {
  it('get the types that the workflow declares, and its defaults', () => {
    const given = { dry: 'true', where: 'staging', to: 'eu' };
    assert.deepEqual(
      typedInputs(declared, given),
      right({ note: '', dry: true, shards: 4, where: 'staging', to: 'eu' }),
    );
    assert.deepEqual(
      typedInputs(declared, { where: 'production', shards: '0.5', note: 'x' }),
      right({ note: 'x', dry: false, shards: 0.5, where: 'production', to: '' }),
    );
  });

  it('are refused by name when they are unknown, missing, or of another type', () => {
    const faults = typedInputs(declared, { 'a/b~c': '1', dry: 'yes', shards: 'many' });
    assert.deepEqual(
      faults,
      left([
        { pointer: '/inputs/a~1b~0c', expected: 'an input of the workflow: one of note, dry, shards, where, to' },
        { pointer: '/inputs/dry', expected: 'true or false' },
        { pointer: '/inputs/shards', expected: 'a number' },
        { pointer: '/inputs/where', expected: 'a value: the workflow requires it' },
      ]),
    );
    assert.deepEqual(
      typedInputs(declared, { where: 'home' }),
      left([{ pointer: '/inputs/where', expected: 'one of staging, production' }]),
    );
    assert.deepEqual(
      typedInputs([], { a: '1' }),
      left([{ pointer: '/inputs/a', expected: 'an input of the workflow: omitted: the workflow has no inputs' }]),
    );
  });

  it('have at most 65,535 characters in all', () => {
    const names = Array.from({ length: 7 }, (_, index) => `i${index}`);
    const given = Object.fromEntries(names.map((name) => [name, 'x'.repeat(9_500)]));
    const faults = typedInputs(
      names.map((name) => input(name)),
      given,
    );
    assert.deepEqual(faults, left([{ pointer: '/inputs', expected: 'at most 65535 characters in all' }]));
  });

  it('are what the codec of events takes, whatever is sent', () => {
    const values = fc.oneof(fc.constantFrom('true', '7', '1e400', ' ', 'staging', '0x10'), fc.string());
    const names = fc.constantFrom('note', 'dry', 'shards', 'where', 'to', 'other');
    fc.assert(
      fc.property(fc.dictionary(names, values), (given) => {
        fc.pre(DispatchInputs.is(given));
        const typed = typedInputs(declared, given);
        if (isLeft(typed)) return typed.left.length > 0;
        const isSame = JSON.stringify(JSON.parse(JSON.stringify(typed.right))) === JSON.stringify(typed.right);
        return isSame && isRight(TypedInputs.decode(typed.right)) && DispatchInputs.is(inputTexts(typed.right));
      }),
    );
  });

  const facts = { repository: 'acme/storefront', defaultBranch: 'main', commits: [], publicUrl: 'http://septet.test' };

  it('have their types in expressions of the coordinator and of runners, and are text in the payload of the event', () => {
    const inputs = { dry: true, shards: 4, where: 'staging' };
    const run = stateAfter({ ...request, eventType: 'workflow_dispatch', inputs } as typeof request);
    const contexts = expressionContexts({ run, facts, needs: {} });
    assert.deepEqual(contexts.inputs, inputs);
    const { event } = contexts.github as { readonly event: { readonly inputs: unknown; readonly workflow: unknown } };
    assert.deepEqual(event.inputs, { dry: 'true', shards: '4', where: 'staging' });
    assert.equal(event.workflow, '.github/workflows/build.yml');
  });
});
