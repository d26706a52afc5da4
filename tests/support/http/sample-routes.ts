/** Routes of a small service, for tests of what every route goes through. */
import * as t from 'io-ts';
import { integer, record, text } from '../../../domain/kernel/codec';
import { type BoundRoute, bind, route } from '../../../infra/server/http/routing/route';

const Name = text('Name', { maxLength: 20 });
const scopes = { scopes: ['things:read'] };
const describedOnly = { summary: 'A test route.', answers: { 200: { description: 'Done.' } } };

export const things: readonly BoundRoute[] = [
  bind(
    {},
    route<object>()({
      ...describedOnly,
      method: 'get',
      path: '/v1/things/:name',
      operation: 'getThing',
      access: scopes,
      params: record('Params', { name: Name }),
      query: record('Query', {}, { page: Name }),
      handle: async (_deps, { params, query, identity }) => ({
        status: 200,
        body: { ...params, ...query, tenantId: identity.tenantId },
        headers: { ETag: 'W/"7"', Position: '12' },
      }),
    }),
  ),
  bind(
    {},
    route<object>()({
      ...describedOnly,
      method: 'post',
      path: '/v1/things',
      operation: 'makeThing',
      access: { scopes: ['things:write'] },
      body: record(
        'Thing',
        { name: Name, parts: t.array(record('Part', { size: integer(0, 9) })) },
        { password: Name },
      ),
      handle: async (_deps, { body }) => ({ status: 201, body }),
    }),
  ),
  bind(
    {},
    route<object>()({
      ...describedOnly,
      method: 'post',
      path: '/form',
      operation: 'sendForm',
      access: 'public',
      body: record('Form', { grant: Name }),
      bodyType: 'form',
      handle: async (_deps, { body, identity }) => ({ status: 200, body: { ...body, known: Boolean(identity) } }),
    }),
  ),
  bind(
    {},
    route<object>()({
      ...describedOnly,
      method: 'get',
      path: '/broken',
      operation: 'break',
      access: scopes,
      handle: () => Promise.reject(new Error('password is hunter2')),
    }),
  ),
];
