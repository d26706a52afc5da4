/** Persistent subscriptions, all of them. */
import { persistentAllContract } from './persistent-all';
import { persistentClientContract } from './persistent-client';
import { persistentConsumeContract } from './persistent-consume';
import { persistentInfoContract } from './persistent-info';
import { persistentManageContract } from './persistent-manage';
import { persistentParkedContract } from './persistent-parked';
import { persistentStrategiesContract } from './persistent-strategies';
import type { Server } from './server';

export const persistentContract = (server: Server): void => {
  describe('groups', () => persistentManageContract(server));
  describe('what is told of groups', () => persistentInfoContract(server));
  describe('consumers', () => persistentConsumeContract(server));
  describe('parked events', () => persistentParkedContract(server));
  describe('groups on $all', () => persistentAllContract(server));
  describe('strategies', () => persistentStrategiesContract(server));
  describe('through the official client', () => persistentClientContract(server));
};
