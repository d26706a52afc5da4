/** Persistent subscriptions, all of them. */

import type { Server } from '../harness/server-under-test';
import { persistentAllContract } from './all-stream';
import { persistentConsumeContract } from './consume';
import { persistentInfoContract } from './info';
import { persistentManageContract } from './manage';
import { persistentClientContract } from './official-client';
import { persistentParkedContract } from './parked-events';
import { persistentStrategiesContract } from './strategies';

export const persistentContract = (server: Server): void => {
  describe('groups', () => persistentManageContract(server));
  describe('information about groups', () => persistentInfoContract(server));
  describe('consumers', () => persistentConsumeContract(server));
  describe('parked events', () => persistentParkedContract(server));
  describe('groups on $all', () => persistentAllContract(server));
  describe('strategies', () => persistentStrategiesContract(server));
  describe('through the official client', () => persistentClientContract(server));
};
