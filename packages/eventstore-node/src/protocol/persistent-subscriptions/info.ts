/** GetInfo and List: encodes a group's statistics. */
import { SubscriptionInfo } from '@eventstore/db-client/generated/persistent_pb';
import { sourceKindOf } from '../../persistent-subscriptions/group-configuration';
import type { ConsumerInfo, GroupInfo } from '../../persistent-subscriptions/group-statistics';
import type { GroupSettings } from '../../persistent-subscriptions/settings';
import { formatStart } from '../../persistent-subscriptions/settings';

const connectionInfo = (consumer: ConsumerInfo): SubscriptionInfo.ConnectionInfo => {
  const reply = new SubscriptionInfo.ConnectionInfo();
  reply.setFrom('');
  reply.setUsername(consumer.userName);
  reply.setConnectionName(consumer.connectionName);
  reply.setAverageItemsPerSecond(consumer.perSecond);
  reply.setTotalItems(String(consumer.total));
  reply.setCountSinceLastMeasurement(String(consumer.sinceLast));
  reply.setAvailableSlots(consumer.availableSlots);
  reply.setInFlightMessages(consumer.inFlight);
  reply.setObservedMeasurementsList(
    consumer.measurements.map(({ key, value }) => {
      const measurement = new SubscriptionInfo.Measurement();
      measurement.setKey(key);
      measurement.setValue(String(value));
      return measurement;
    }),
  );
  return reply;
};

const setSettings = (reply: SubscriptionInfo, settings: GroupSettings): void => {
  reply.setResolveLinkTos(settings.resolveLinks);
  reply.setExtraStatistics(settings.extraStatistics);
  reply.setMessageTimeoutMilliseconds(settings.messageTimeout);
  reply.setMaxRetryCount(settings.maxRetryCount);
  reply.setLiveBufferSize(settings.liveBufferSize);
  reply.setBufferSize(settings.historyBufferSize);
  reply.setReadBatchSize(settings.readBatchSize);
  reply.setCheckPointAfterMilliseconds(settings.checkpointAfter);
  reply.setMinCheckPointCount(settings.minCheckpointCount);
  reply.setMaxCheckPointCount(settings.maxCheckpointCount);
  reply.setMaxSubscriberCount(settings.maxSubscriberCount);
  reply.setNamedConsumerStrategy(settings.strategy);
};

const setTraffic = (reply: SubscriptionInfo, info: GroupInfo): void => {
  reply.setAveragePerSecond(info.perSecond);
  reply.setTotalItems(String(info.total));
  reply.setCountSinceLastMeasurement(String(info.sinceLast));
  reply.setReadBufferCount(info.buffered);
  // Live events are read from disk like all others.
  reply.setLiveBufferCount('0');
  reply.setRetryBufferCount(info.retrying);
  reply.setTotalInFlightMessages(info.inFlight);
  reply.setOutstandingMessagesCount(info.outstanding);
  reply.setParkedMessageCount(String(info.parked));
};

export const subscriptionInfo = (info: GroupInfo): SubscriptionInfo => {
  const { definition } = info;
  const reply = new SubscriptionInfo();
  reply.setEventSource(definition.stream);
  reply.setGroupName(definition.group);
  reply.setStatus(info.status);
  reply.setStartFrom(formatStart(sourceKindOf(definition), definition.settings.startFrom));
  reply.setLastCheckpointedEventPosition(info.checkpoint);
  reply.setLastKnownEventPosition(info.lastKnown);
  reply.setConnectionsList(info.consumers.map(connectionInfo));
  setSettings(reply, definition.settings);
  setTraffic(reply, info);
  return reply;
};
